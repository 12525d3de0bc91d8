// Starts that are taken back.
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <thread>

#include "tests/integration/campaigns_bed.hpp"

using namespace parley;
using namespace parley::campaigns_tests;

namespace {

const std::string kTime = "2040-01-31T12:00:00.000Z";
const std::string kScheduled = R"(,"scheduledAt":")" + kTime + "\"";

std::string start(Bed& bed, const Uuid& id, int delay_seconds) {
  const auto answer = bed.post(Bed::path(id) + "/start", R"({"delaySeconds":)" + std::to_string(delay_seconds) + "}");
  REQUIRE_MESSAGE(answer.status == 200, answer.body);
  return std::string(json_of(answer).at("campaign").at("status").as_string());
}

std::string detail_of(const http::Response& response) {
  return std::string(json_of(response).at("detail").as_string());
}

// At once, or not before one campaign was taken back.
awaitable<bool> start_due(conversations::campaigns::Worker& worker, Bed& bed, bool is_late) {
  const auto taken_back = [&] {
    return bed.database.number("SELECT count(*) FROM campaign WHERE status = 'Draft'") > 0;
  };
  while (is_late && !taken_back()) co_await boost::asio::post(bed.context(), boost::asio::deferred);
  co_return co_await worker.start_due();
}

std::vector<std::string> links_of(Bed& bed, const Uuid& id) {
  std::vector<std::string> out;
  const auto campaign = bed.campaign(id);
  for (const auto& link : campaign.at("links").as_array()) out.emplace_back(link.at("url").as_string());
  return out;
}

}  // namespace

TEST_CASE("campaigns: one that is taken back is the draft that it was, and may be changed and started again") {
  Bed bed;
  const auto id = bed.make(kScheduled);
  const auto draft = bed.campaign(id);
  REQUIRE_EQ(bed.act(id, "start").status, 200);
  CHECK_EQ(bed.text(id, "phoneNumberId"), "123");
  const auto answer = bed.act(id, "unschedule");
  REQUIRE_MESSAGE(answer.status == 200, answer.body);
  auto now = json_of(answer).at("campaign");
  CHECK(now == bed.campaign(id));
  now.as_object()["updatedAt"] = draft.at("updatedAt");
  CHECK(now == draft);
  CHECK_EQ(bed.text(id, "scheduledAt"), kTime);
  CHECK_EQ(bed.told(id), "Draft>Scheduled Scheduled>Draft");

  CHECK_EQ(bed.change(id, R"({"scheduledAt":null,"message":{"type":"Text","text":"https://shop.example/b"}})").status,
           200);
  bed.run(bed.worker.start_due());
  CHECK_EQ(bed.text(id, "status"), "Draft");
  REQUIRE_EQ(bed.act(id, "start").status, 200);
  CHECK_EQ(bed.text(id, "status"), "Running");
  CHECK_EQ(links_of(bed, id), std::vector<std::string>{"https://shop.example/b"});
  CHECK_EQ(bed.database.execute("SELECT string_agg(c ->> 'first', ' ' ORDER BY o.id) FROM outbox o, "
                                "jsonb_array_elements(o.changes) c WHERE c ->> 'type' = 'campaign.status'"),
           "false false true");
  const auto late = bed.act(id, "unschedule");
  CHECK_EQ(late.status, 409);
  CHECK_EQ(detail_of(late), "the campaign is Running: only a Scheduled one can be unscheduled");
}

TEST_CASE("campaigns: a number that was chosen stays when the start is taken back") {
  Bed bed;
  const auto chosen = bed.make(kScheduled + R"(,"phoneNumberId":"123")");
  REQUIRE_EQ(bed.act(chosen, "start").status, 200);
  REQUIRE_EQ(bed.act(chosen, "unschedule").status, 200);
  CHECK_EQ(bed.text(chosen, "phoneNumberId"), "123");
  // What start has set is set by nobody, also when an answer is sent back.
  const auto shown = bed.make(kScheduled);
  REQUIRE_EQ(bed.act(shown, "start").status, 200);
  REQUIRE_EQ(bed.change(shown, R"({"phoneNumberId":"123","scheduledAt":")" + kTime + "\"}").status, 200);
  REQUIRE_EQ(bed.act(shown, "unschedule").status, 200);
  CHECK(bed.campaign(shown).at("phoneNumberId").is_null());
  CHECK_EQ(bed.text(shown, "scheduledAt"), kTime);
}

TEST_CASE("campaigns: a start waits for as long as is asked for, and can be taken back until then") {
  Bed bed;
  const auto id = bed.make();
  CHECK_EQ(start(bed, id, 60), "Scheduled");
  CHECK(bed.campaign(id).at("startedAt").is_null());
  CHECK_EQ(bed.database.execute("SELECT scheduled_at BETWEEN now() + interval '30 seconds' AND now() + interval '60 "
                                "seconds' FROM campaign WHERE id = " +
                                quoted(id)),
           "t");
  bed.run(bed.worker.start_due());
  CHECK_EQ(bed.text(id, "status"), "Scheduled");
  REQUIRE_EQ(bed.act(id, "unschedule").status, 200);
  CHECK(bed.campaign(id).at("scheduledAt").is_null());

  CHECK_EQ(start(bed, id, 1), "Scheduled");
  bed.set(id, "scheduled_at = now()");
  bed.run(bed.worker.start_due());
  CHECK_EQ(bed.text(id, "status"), "Running");
  CHECK_EQ(bed.act(id, "unschedule").status, 409);
  CHECK_EQ(bed.told(id), "Draft>Scheduled Scheduled>Draft Draft>Scheduled Scheduled>Running");

  const auto later = bed.make(kScheduled);
  CHECK_EQ(start(bed, later, 60), "Scheduled");
  CHECK_EQ(bed.text(later, "scheduledAt"), kTime);
  // A member's new time is a schedule like any other.
  const auto moved = bed.make();
  start(bed, moved, 60);
  REQUIRE_EQ(bed.change(moved, R"({"scheduledAt":")" + kTime + "\"}").status, 200);
  REQUIRE_EQ(bed.act(moved, "unschedule").status, 200);
  CHECK_EQ(bed.text(moved, "scheduledAt"), kTime);

  const auto at_once = bed.make(R"(,"scheduledAt":"2020-01-31T12:00:00Z")");
  CHECK_EQ(start(bed, at_once, 0), "Running");
  const auto refused = bed.make();
  for (const auto* body : {R"({"delaySeconds":61})", R"({"delaySeconds":-1})", R"({"delaySeconds":null})"}) {
    const auto answer = bed.post(Bed::path(refused) + "/start", body);
    CHECK_EQ(answer.status, 400);
    CHECK_EQ(pointer_of(answer), "/delaySeconds");
  }
  CHECK_EQ(bed.text(refused, "status"), "Draft");
}

TEST_CASE("campaigns: a campaign whose time has come begins or is taken back, and who asked learns which") {
  Bed bed;
  int begun = 0, taken_back = 0;
  for (int round = 0; round < 5; ++round) {
    std::vector<Uuid> ids;
    std::vector<std::pair<std::string, std::string>> requests;
    for (int i = 0; i < 20; ++i) {
      ids.push_back(bed.make_as("Scheduled"));
      bed.set(ids.back(), "scheduled_at = now()");
      requests.emplace_back(Bed::path(ids.back()) + "/unschedule", "");
    }
    std::vector<awaitable<bool>> steps;
    for (int i = 0; i < 4; ++i) steps.push_back(start_due(i % 2 == 0 ? bed.worker : bed.other, bed, round % 2 == 1));
    auto answers = bed.post_all(requests, std::move(steps));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (answers[i].status == 503) answers[i] = bed.act(ids[i], "unschedule");  // of a busy machine: to be asked again
      const bool is_back = answers[i].status == 200;
      CHECK_EQ(bed.told(ids[i]), is_back ? "Scheduled>Draft" : "Scheduled>Running");
      CHECK_EQ(bed.text(ids[i], "status"), is_back ? "Draft" : "Running");
      if (!is_back) CHECK_EQ(answers[i].status, 409);
      ++(is_back ? taken_back : begun);
    }
    bed.database.execute("DELETE FROM campaign");
  }
  CHECK_GT(begun, 0);
  CHECK_GT(taken_back, 0);
}

TEST_CASE("campaigns: whom the worker or another member holds decides what a campaign that is taken back becomes") {
  Bed bed;
  const auto id = bed.make_as("Scheduled");
  conversations_tests::Session other(bed.database);
  const auto race = [&](const std::string& status) {
    other.execute("BEGIN");
    other.execute("UPDATE campaign SET status = '" + status + "' WHERE id = " + quoted(id));
    const std::jthread holder([&] {
      const auto* waiting =
          "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      while (bed.database.number(waiting) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      other.execute("COMMIT");
    });
    return bed.act(id, "unschedule");
  };
  for (const std::string status : {"Running", "Cancelled"}) {
    CAPTURE(status);
    bed.set(id, "status = 'Scheduled'");
    const auto answer = race(status);
    CHECK_EQ(answer.status, 409);
    CHECK_EQ(detail_of(answer), "the campaign is " + status + ": only a Scheduled one can be unscheduled");
    CHECK_EQ(bed.text(id, "status"), status);
  }
  CHECK_EQ(bed.told(id), "");
}

TEST_CASE("campaigns: a start of which only a part was taken back when the process died is as it was") {
  Bed bed;
  const auto id = bed.make();
  start(bed, id, 60);
  const auto before = bed.database.execute("SELECT campaign::text FROM campaign WHERE id = " + quoted(id));
  bed.database.execute(
      "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM "
      "pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;"
      "CREATE TRIGGER die AFTER INSERT ON outbox FOR EACH STATEMENT EXECUTE FUNCTION die()");
  CHECK_GE(bed.act(id, "unschedule").status, 500);
  CHECK_EQ(bed.database.execute("SELECT campaign::text FROM campaign WHERE id = " + quoted(id)), before);
  bed.database.execute("DROP TRIGGER die ON outbox");
  bed.set(id, "scheduled_at = now()");
  bed.run(bed.worker.start_due());
  CHECK_EQ(bed.told(id), "Draft>Scheduled Scheduled>Running");
}
