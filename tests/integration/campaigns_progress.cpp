// How campaigns stand, what is told of it, and how they end.
#include "tests/integration/campaigns_bed.hpp"

using namespace parley;
using namespace parley::campaigns_tests;

namespace {

struct Scene : Bed {
  const Uuid id = make_as("Running");

  Scene() { set(id, "started_at = now(), audience_done = true"); }
  void count(const std::string& what, int n, const std::string& quarter = "2026-01-31T12:00:00Z", int slot = 0) {
    database.execute("INSERT INTO campaign_count VALUES (" + quoted(organization) + "," + quoted(id) + ", '" + quarter +
                     "', '" + what + "', " + std::to_string(slot) + ", " + std::to_string(n) + ")");
  }
  // A message of it that is Queued and has its row in the queue.
  Uuid queue(const std::string& state) {
    const auto conversation = database.add_conversation(organization, model::new_uuid());
    const auto message = database.add_message(organization, conversation, "Queued", 0);
    database.execute("UPDATE message SET campaign_id = " + quoted(id) + " WHERE id = " + quoted(message));
    database.execute(
        "INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, state, "
        "expires_at, campaign_id) SELECT organization_id, id, 'Message', '123', contact_id, '+49', '" +
        state + "', now() + interval '1 day', campaign_id FROM message WHERE id = " + quoted(message));
    return message;
  }
  void add_chunk(bool done) {
    database.execute("INSERT INTO chunk (organization_id, campaign_id, first, last, done) VALUES (" +
                     quoted(organization) + "," + quoted(id) + ", 1, 500, " + (done ? "true" : "false") + ")");
  }
  std::int64_t sum() {
    std::int64_t out = 0;
    const auto shown = campaign(id).at("progress").as_object();
    for (const auto* name : {"skipped", "pending", "sent", "delivered", "read", "failed", "undelivered", "inDoubt"}) {
      CHECK_GE(shown.at(name).as_int64(), 0);
      out += shown.at(name).as_int64();
    }
    return out;
  }
  // As if the last look had been so long ago.
  void age(const std::string& by) {
    database.execute("UPDATE campaign_rate SET at = at - interval '" + by + "', since = since - interval '" + by + "'");
  }
};

}  // namespace

TEST_CASE("campaigns: each recipient is in one state, and the states add up") {
  Scene scene;
  scene.count("Targets", 100, "epoch");
  scene.count("Skipped", 7, "epoch");
  scene.count("Queued", -20);
  scene.count("Queued", 30, "2026-01-31T12:00:00Z", 1);
  scene.count("Sent", 11, "2026-01-31T12:15:00Z");
  scene.count("Delivered", 5);
  scene.count("Read", 4);
  scene.count("Failed", 2);
  scene.count("UnDelivered", 1);
  scene.count("Replies", 50);
  scene.count("ClicksAt", 50);
  scene.queue("InDoubt");
  scene.queue("Due");
  CHECK_EQ(scene.progress(scene.id, "recipients"), 100);
  CHECK_EQ(scene.progress(scene.id, "skipped"), 7);
  CHECK_EQ(scene.progress(scene.id, "pending"), 100 - 7 - 23 - 1);
  CHECK_EQ(scene.progress(scene.id, "failed"), 2);
  CHECK_EQ(scene.progress(scene.id, "undelivered"), 1);
  CHECK_EQ(scene.progress(scene.id, "inDoubt"), 1);
  CHECK_EQ(scene.sum(), 100);
  // Whom a cancelled one did not come to is left out; what is on its way is not.
  REQUIRE_EQ(scene.act(scene.id, "cancel").status, 200);
  CHECK_EQ(scene.progress(scene.id, "pending"), 9);
  CHECK_EQ(scene.progress(scene.id, "skipped"), 7 + 100 - 7 - 23 - 10);
  CHECK_EQ(scene.sum(), 100);
}

TEST_CASE("campaigns: the rate and the time left are those of the last seconds") {
  Scene scene;
  scene.add_chunk(false);
  scene.count("Targets", 1'000, "epoch");
  scene.run(scene.worker.look());
  CHECK_EQ(scene.campaign(scene.id).at("progress").at("rate").to_number<double>(), 0);
  CHECK(scene.campaign(scene.id).at("progress").at("secondsLeft").is_null());
  scene.count("Sent", 100);
  scene.age("10 seconds");
  scene.run(scene.worker.look());
  const auto shown = scene.campaign(scene.id).at("progress");
  const auto rate = shown.at("rate").to_number<double>();
  CHECK(rate > 5);
  CHECK(rate <= 10);
  CHECK_GE(shown.at("secondsLeft").as_int64(), 90);
  // Nobody looks any more, or it is not sending.
  scene.age("2 minutes");
  CHECK_EQ(scene.campaign(scene.id).at("progress").at("rate").to_number<double>(), 0);
  scene.run(scene.worker.look());
  REQUIRE_EQ(scene.act(scene.id, "pause").status, 200);
  CHECK_EQ(scene.campaign(scene.id).at("progress").at("rate").to_number<double>(), 0);
}

TEST_CASE("campaigns: progress is told when there is some, once a second at most, whoever looks") {
  Scene scene;
  scene.add_chunk(false);
  const auto look = [&] {
    std::vector<awaitable<bool>> steps;
    for (int i = 0; i < 4; ++i) steps.push_back((i % 2 == 0 ? scene.worker : scene.other).look());
    scene.run(std::move(steps));
    return scene.told(scene.id, "campaign.progress");
  };
  CHECK_EQ(look(), 1);
  scene.count("Targets", 10, "epoch");
  CHECK_EQ(look(), 1);  // within the second
  scene.age("1 second");
  CHECK_EQ(look(), 2);
  scene.age("1 second");
  CHECK_EQ(look(), 2);  // nothing new
  scene.count("Sent", 3);
  scene.age("1 second");
  CHECK_EQ(look(), 3);
  CHECK_EQ(scene.database.execute("SELECT c -> 'progress' ->> 'sent' FROM outbox o, jsonb_array_elements(o.changes) c "
                                  "WHERE c ->> 'type' = 'campaign.progress' ORDER BY o.id DESC LIMIT 1"),
           "3");
  REQUIRE_EQ(scene.act(scene.id, "pause").status, 200);
  scene.age("1 second");
  CHECK_EQ(look(), 3);
}

TEST_CASE("campaigns: one is Finished once, when all of its recipients are done, those in doubt aside") {
  Scene scene;
  const auto look = [&] {
    scene.age("1 second");
    std::vector<awaitable<bool>> steps;
    steps.push_back(scene.worker.look());
    steps.push_back(scene.other.look());
    scene.run(std::move(steps));
    return scene.text(scene.id, "status");
  };
  scene.set(scene.id, "audience_done = false");
  CHECK_EQ(look(), "Running");
  scene.set(scene.id, "audience_done = true");
  scene.add_chunk(false);
  CHECK_EQ(look(), "Running");
  scene.database.execute("UPDATE chunk SET done = true");
  scene.queue("Due");
  CHECK_EQ(look(), "Running");
  scene.database.execute("UPDATE outgoing SET state = 'Sending'");
  CHECK_EQ(look(), "Running");
  scene.database.execute("UPDATE outgoing SET state = 'InDoubt'");
  CHECK_EQ(look(), "Finished");
  CHECK(!scene.campaign(scene.id).at("finishedAt").is_null());
  CHECK_EQ(scene.told(scene.id), "Running>Finished");
  CHECK_EQ(look(), "Finished");
  CHECK_EQ(scene.told(scene.id), "Running>Finished");
}

TEST_CASE("campaigns: a number that the channel stopped is shown as why a campaign waits") {
  Scene scene;
  scene.database.execute(
      "INSERT INTO sender (organization_id, phone_number_id, stopped_until, stop_code, stop_text) "
      "VALUES (" +
      quoted(scene.organization) + ", '123', now() + interval '1 hour', 368, 'blocked for policy')");
  CHECK(scene.text(scene.id, "statusReason").find("blocked for policy") != std::string::npos);
  scene.database.execute("UPDATE sender SET stopped_until = now() - interval '1 second'");
  CHECK_EQ(scene.text(scene.id, "statusReason"), "");
}

TEST_CASE("campaigns: what was to be sent again for one that has ended fails, and is counted") {
  for (const std::string end : {"Cancelled", "Finished", "Finished and deleted"}) {
    CAPTURE(end);
    Scene scene;
    scene.count("Targets", 3, "epoch");
    scene.count("Queued", 3);
    const auto due = scene.queue("Due"), sending = scene.queue("Sending"), doubted = scene.queue("InDoubt");
    scene.run(scene.worker.settle_ended());
    CHECK_EQ(scene.database.number("SELECT count(*) FROM outgoing"), 3);
    // Long ago, so that whoever puts something back comes late.
    scene.set(scene.id, "status = '" + end.substr(0, end.find(' ')) + "', finished_at = now() - interval '1 month'");
    if (end.ends_with("deleted")) scene.set(scene.id, "deleted_at = now()");
    std::vector<awaitable<bool>> steps;
    steps.push_back(scene.worker.settle_ended());
    steps.push_back(scene.other.settle_ended());
    scene.run(std::move(steps));
    const auto of = [&](const Uuid& message, const std::string& column) {
      return scene.database.execute("SELECT " + column + " FROM message WHERE id = " + quoted(message));
    };
    CHECK_EQ(of(due, "status"), "Failed");
    CHECK_EQ(of(due, "error_text"),
             end == "Cancelled" ? "the campaign was cancelled" : "the campaign had finished before it could be sent");
    CHECK_EQ(of(sending, "status"), "Queued");
    CHECK_EQ(of(doubted, "status"), "Queued");
    CHECK_EQ(scene.database.number("SELECT count(*) FROM outgoing"), 2);
    CHECK_EQ(scene.told(scene.id, "campaign.messages"), 1);
    CHECK_EQ(scene.told(scene.id, "message.status"), 1);
    if (end.ends_with("deleted")) continue;
    CHECK_EQ(scene.progress(scene.id, "failed"), 1);
    CHECK_EQ(scene.progress(scene.id, "inDoubt"), 1);
    CHECK_EQ(scene.progress(scene.id, "pending"), 1);
    CHECK_EQ(scene.sum(), 3);
  }
}

TEST_CASE("campaigns: of one that has ended, rows whose message is gone go too; one that waits keeps its own") {
  Scene scene;
  const auto gone = scene.queue("Due");
  scene.database.execute("DELETE FROM message WHERE id = " + quoted(gone));
  scene.set(scene.id, "status = 'Paused'");
  scene.run(scene.worker.settle_ended());
  CHECK_EQ(scene.database.number("SELECT count(*) FROM outgoing"), 1);
  scene.set(scene.id, "status = 'Finished', finished_at = now()");
  scene.run(scene.worker.settle_ended());
  CHECK_EQ(scene.database.number("SELECT count(*) FROM outgoing"), 0);
  CHECK_EQ(scene.told(scene.id, "message.status"), 0);
}
