// Campaigns that start at their time.
#include "tests/integration/campaigns_bed.hpp"

using namespace parley;
using namespace parley::campaigns_tests;

namespace {

std::string scheduled(const std::string& at, const std::string& zone = "UTC") {
  return R"(,"scheduledAt":")" + at + R"(","timezone":")" + zone + "\"";
}

}  // namespace

TEST_CASE("campaigns: times are those that clocks of the time zone show") {
  Bed bed;
  const auto at = [&](const std::string& time, const std::string& zone) {
    return bed.text(bed.make(scheduled(time, zone)), "scheduledAt");
  };
  CHECK_EQ(at("2040-01-31T12:00:00Z", "Europe/Berlin"), "2040-01-31T12:00:00.000Z");
  CHECK_EQ(at("2040-01-31T12:00:00+05:30", "Europe/Berlin"), "2040-01-31T06:30:00.000Z");
  CHECK_EQ(at("2040-01-31T12:00", "Europe/Berlin"), "2040-01-31T11:00:00.000Z");
  CHECK_EQ(at("2040-07-31T12:00:30", "Europe/Berlin"), "2040-07-31T10:00:30.000Z");
  CHECK_EQ(at("2040-01-31T12:00:00.5", "Asia/Kathmandu"), "2040-01-31T06:15:00.500Z");
  // The hour that clocks skip, and the one that they show twice.
  CHECK_EQ(at("2030-03-31T02:30", "Europe/Berlin"), "2030-03-31T01:30:00.000Z");
  CHECK_EQ(at("2030-10-27T02:30", "Europe/Berlin"), "2030-10-27T01:30:00.000Z");
  // A time without its zone stays in that which the campaign has.
  const auto id = bed.make(R"(,"timezone":"America/New_York")");
  CHECK_EQ(bed.change(id, R"({"scheduledAt":"2040-01-31T12:00"})").status, 200);
  CHECK_EQ(bed.text(id, "scheduledAt"), "2040-01-31T17:00:00.000Z");
  CHECK_EQ(bed.change(id, R"({"timezone":"UTC"})").status, 200);
  CHECK_EQ(bed.text(id, "scheduledAt"), "2040-01-31T17:00:00.000Z");
  CHECK_EQ(bed.change(id, R"({"scheduledAt":null})").status, 200);
  CHECK(bed.campaign(id).at("scheduledAt").is_null());
  for (const auto* zone : {"", "Mars/Olympus", "FOO+3", "+02:00", "posix/UTC", "europe/berlin "}) {
    CAPTURE(zone);
    const auto answer = bed.post("/api/campaigns", bed.body(R"(,"timezone":")" + std::string(zone) + "\""));
    CHECK_EQ(answer.status, 400);
    CHECK_EQ(pointer_of(answer), "/timezone");
  }
}

TEST_CASE(
    "campaigns: what is started before its time waits for it, also after a pause, and may be changed until then") {
  Bed bed;
  const auto id = bed.make(scheduled("2040-01-31T12:00:00Z"));
  REQUIRE_EQ(bed.act(id, "start").status, 200);
  CHECK_EQ(bed.text(id, "status"), "Scheduled");
  CHECK(bed.campaign(id).at("startedAt").is_null());
  CHECK_EQ(bed.act(id, "pause").status, 200);
  CHECK_EQ(bed.act(id, "resume").status, 200);
  CHECK_EQ(bed.told(id), "Draft>Scheduled Scheduled>Paused Paused>Scheduled");
  CHECK_EQ(bed.change(id, R"({"scheduledAt":"2041-01-31T12:00:00Z"})").status, 200);
  const auto past = bed.change(id, R"({"scheduledAt":"2020-01-31T12:00:00Z"})");
  CHECK_EQ(past.status, 400);
  CHECK_EQ(pointer_of(past), "/scheduledAt");
  CHECK_EQ(bed.change(id, R"({"scheduledAt":null})").status, 409);
  CHECK_EQ(bed.text(id, "scheduledAt"), "2041-01-31T12:00:00.000Z");
  // Another message has other links.
  CHECK_EQ(bed.change(id, R"({"message":{"type":"Text","text":"https://shop.example/b"}})").status, 200);
  CHECK_EQ(bed.database.number("SELECT count(*) FROM campaign_url WHERE url = 'https://shop.example/b'"), 1);
  bed.run(bed.worker.start_due());
  CHECK_EQ(bed.text(id, "status"), "Scheduled");
  // A time that is over is no time to wait for.
  const auto late = bed.make(scheduled("2020-01-31T12:00:00Z"));
  CHECK_EQ(bed.act(late, "start").status, 200);
  CHECK_EQ(bed.text(late, "status"), "Running");
}

TEST_CASE("campaigns: however many look, each starts once, at its time and not before") {
  Bed bed;
  std::vector<Uuid> due, ahead;
  for (int i = 0; i < 250; ++i) {
    auto& some = i % 5 == 0 ? ahead : due;
    some.push_back(model::new_uuid());
    bed.database.execute("INSERT INTO campaign (organization_id, id, name, status, scheduled_at, list_ids) VALUES (" +
                         quoted(bed.organization) + "," + quoted(some.back()) +
                         ", 'c', 'Scheduled', now() + interval '" + (i % 5 == 0 ? "1 hour" : "-1 second") +
                         "', ARRAY[" + quoted(bed.list) + "]::uuid[])");
  }
  for (int round = 0; round < 5; ++round) {
    std::vector<awaitable<bool>> steps;
    for (int i = 0; i < 6; ++i) steps.push_back((i % 2 == 0 ? bed.worker : bed.other).start_due());
    bed.run(std::move(steps));
  }
  for (const auto& id : due) CHECK_EQ(bed.told(id), "Scheduled>Running");
  for (const auto& id : ahead) CHECK_EQ(bed.told(id), "");
  CHECK_EQ(bed.database.number("SELECT count(*) FROM campaign WHERE status = 'Running' AND started_at IS NOT NULL"),
           std::ssize(due));
}

TEST_CASE("campaigns: one that is found too late after its time is not sent blindly") {
  Bed bed;
  const auto late = bed.make_as("Scheduled", R"(,"allowedLatenessSeconds":60,"timezone":"Europe/Berlin")");
  const auto early = bed.make_as("Scheduled", R"(,"allowedLatenessSeconds":600)");
  for (const auto& id : {late, early}) bed.set(id, "scheduled_at = now() - interval '2 minutes'");
  std::vector<awaitable<bool>> steps;
  steps.push_back(bed.worker.start_due());
  steps.push_back(bed.other.start_due());
  bed.run(std::move(steps));
  CHECK_EQ(bed.text(early, "status"), "Running");
  CHECK_EQ(bed.text(late, "status"), "Paused");
  CHECK_EQ(bed.told(late), "Scheduled>Paused");
  CHECK(bed.campaign(late).at("startedAt").is_null());
  const auto reason = bed.text(late, "statusReason");
  CHECK(reason.find("60 seconds") != std::string::npos);
  CHECK(reason.find("Europe/Berlin") != std::string::npos);
  CHECK_EQ(bed.database.execute("SELECT c ->> 'reason' FROM outbox o, jsonb_array_elements(o.changes) c WHERE c ->> "
                                "'to' = 'Paused'"),
           reason);
  CHECK_EQ(bed.act(late, "resume").status, 200);
  CHECK_EQ(bed.text(late, "status"), "Running");
  CHECK_EQ(bed.text(late, "statusReason"), "");
}
