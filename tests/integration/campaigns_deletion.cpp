// What is left of campaigns, and of whom they were for.
#include "conversations/recovery/deletions/store.hpp"
#include "tests/integration/campaigns_bed.hpp"

using namespace parley;
using namespace parley::campaigns_tests;
using namespace std::chrono_literals;

namespace {

struct Scene : Bed {
  // One that was sent to `people`, or is for them; with what they did.
  Uuid sent(const std::string& status, const std::vector<Uuid>& people, bool has_messages) {
    const auto id = make_as(status);
    set(id, "audience_done = true");
    int ordinal = 0;
    for (const auto& person : people) {
      const auto conversation = database.add_conversation(organization, person, "Closed");
      const auto message =
          has_messages ? database.add_message(organization, conversation, "Sent", 0) : model::new_uuid();
      database.execute(
          "INSERT INTO target (organization_id, campaign_id, ordinal, contact_id, recipient, message_id, "
          "parameters) VALUES (" +
          keys(id) + "," + std::to_string(++ordinal) + "," + quoted(person) + ", '+49123'," + quoted(message) +
          ", '{Ada}'); INSERT INTO engagement (organization_id, campaign_id, "
          "message_id, replies) VALUES (" +
          keys(id) + "," + quoted(message) + ", 1)");
    }
    database.execute(
        "INSERT INTO chunk (organization_id, campaign_id, first, last, done) VALUES (" + keys(id) +
        ", 1, 500, true); INSERT INTO campaign_count VALUES (" + keys(id) + ", 'epoch', 'Targets', 0, " +
        std::to_string(ordinal) +
        "); INSERT INTO campaign_url (organization_id, campaign_id, url, "
        "secret) VALUES (" +
        keys(id) + ", 'https://shop.example', decode(repeat('00', 16), 'hex')); INSERT INTO click SELECT " + keys(id) +
        ", gen_random_uuid(), max(id), 1, now(), false, true FROM campaign_url; INSERT INTO "
        "retarget (organization_id, campaign_id, id, list_id, criteria, finished_at) VALUES (" +
        keys(id) +
        ", gen_random_uuid(), gen_random_uuid(), '{}', now()); INSERT INTO campaign_rate "
        "VALUES (" +
        keys(id) + ", now(), now(), 0, 0, '{}')");
    return id;
  }
  std::string keys(const Uuid& id) const { return quoted(organization) + "," + quoted(id); }
  std::int64_t rows(const std::string& table, const Uuid& id) {
    return database.number("SELECT count(*) FROM " + table + " WHERE campaign_id = " + quoted(id));
  }
  void begin_removal(const std::string& kind, const Uuid& id, const std::string& age) {
    database.execute("INSERT INTO removal (organization_id, kind, id, started_at) VALUES (" + quoted(organization) +
                     ", '" + kind + "', " + quoted(id) + ", now() - interval '" + age + "')");
  }
  void remove_all() {
    removals::WorkerSettings quick;
    quick.busy_pause = 1ms;
    quick.idle_pause = 5ms;
    removals::Worker worker(
        context(), pool(), conversations::deletions::kinds(), [](std::string_view what) { FAIL_CHECK(what); }, quick);
    bool over = false;
    process_.spawn("removals", [](removals::Worker& one, bool& done) -> awaitable<void> {
      co_await one.run();
      done = true;
    }(worker, over));
    turn_until([&] { return database.number("SELECT count(*) FROM removal WHERE finished_at IS NULL") == 0; });
    worker.stop();
    turn_until([&] { return over; });
  }
  void age_removals() { database.execute("UPDATE removal SET started_at = started_at - interval '20 minutes'"); }
};

}  // namespace

TEST_CASE("campaigns: only one that is not under way is deleted, and is not seen again") {
  Scene scene;
  for (const std::string status : {"Draft", "Scheduled", "Running", "Paused", "Cancelled", "Finished"}) {
    CAPTURE(status);
    const auto id = scene.make_as(status);
    const bool is_over = status == "Draft" || status == "Cancelled" || status == "Finished";
    CHECK_EQ(scene.remove(Bed::path(id)).status, is_over ? 204 : 409);
    CHECK_EQ(scene.get(Bed::path(id)).status, is_over ? 404 : 200);
    if (!is_over) continue;
    CHECK_EQ(scene.remove(Bed::path(id)).status, 404);
    CHECK_EQ(scene.change(id, R"({"name":"x"})").status, 404);
    for (const auto* command : {"start", "pause", "resume", "cancel"}) CHECK_EQ(scene.act(id, command).status, 404);
  }
  CHECK_EQ(json_of(scene.get("/api/campaigns")).at("paginationMeta").at("total").as_int64(), 3);
}

TEST_CASE("campaigns: of a deleted one the figures and the links stay, and of others everything") {
  Scene scene;
  const std::vector<Uuid> people{model::new_uuid(), model::new_uuid()};
  const auto gone = scene.sent("Finished", people, true), other = scene.sent("Finished", people, true);
  REQUIRE_EQ(scene.remove(Bed::path(gone)).status, 204);
  scene.age_removals();
  scene.remove_all();
  for (const auto* table : {"target", "chunk", "engagement", "click", "retarget"}) {
    CAPTURE(table);
    CHECK_EQ(scene.rows(table, gone), 0);
    CHECK_GT(scene.rows(table, other), 0);
  }
  CHECK_EQ(scene.rows("campaign_count", gone), 1);
  CHECK_EQ(scene.rows("campaign_url", gone), 1);
  CHECK_EQ(scene.database.number("SELECT count(*) FROM message"), 4);
}

TEST_CASE("campaigns: nothing is left of an organization's") {
  Scene scene;
  const auto id = scene.sent("Running", {model::new_uuid()}, true);
  scene.database.execute("INSERT INTO reach VALUES (" + quoted(scene.organization) + ", now(), 1)");
  scene.begin_removal("organization", scene.organization, "20 minutes");
  scene.remove_all();
  for (const auto* table :
       {"target", "chunk", "engagement", "click", "retarget", "campaign_count", "campaign_rate", "campaign_url"})
    CHECK_EQ(scene.rows(table, id), 0);
  CHECK_EQ(scene.database.number("SELECT (SELECT count(*) FROM campaign) + (SELECT count(*) FROM reach)"), 0);
}

TEST_CASE("campaigns: of a deleted contact no number and no words are left, and who was not sent to is left out") {
  Scene scene;
  const auto gone = model::new_uuid(), other = model::new_uuid();
  const auto sent = scene.sent("Finished", {gone, other}, true), unsent = scene.sent("Paused", {other, gone}, false);
  scene.begin_removal("contact", gone, "20 minutes");
  scene.remove_all();
  const auto target = [&](const Uuid& campaign, const Uuid& contact, const std::string& column) {
    return scene.database.execute("SELECT " + column + " FROM target WHERE campaign_id = " + quoted(campaign) +
                                  " AND contact_id = " + quoted(contact));
  };
  for (const auto& id : {sent, unsent}) {
    CHECK_EQ(target(id, gone, "recipient"), "");
    CHECK_EQ(target(id, gone, "parameters"), "{}");
    CHECK_EQ(target(id, other, "recipient"), "+49123");
    CHECK_EQ(target(id, other, "parameters"), "{Ada}");
  }
  CHECK_EQ(target(sent, gone, "skipped"), "");
  CHECK_EQ(target(unsent, gone, "skipped"), "Deleted");
  CHECK_EQ(scene.progress(sent, "skipped"), 0);
  CHECK_EQ(scene.progress(unsent, "skipped"), 1);
  CHECK_EQ(scene.progress(unsent, "pending"), 1);
}

TEST_CASE("campaigns: what was to be sent again to a deleted contact fails, and is counted") {
  Scene scene;
  const auto gone = model::new_uuid();
  const auto id = scene.sent("Running", {gone}, true);
  scene.database.execute("UPDATE message SET status = 'Queued', campaign_id = " + quoted(id) +
                         "; INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, "
                         "recipient, expires_at, campaign_id) SELECT organization_id, id, 'Message', '123', "
                         "contact_id, '+49', now() + interval '1 day', campaign_id FROM message; INSERT INTO "
                         "campaign_count SELECT organization_id, campaign_id, date_bin('15 minutes', created_at, "
                         "'epoch'), 'Queued', 3, 1 FROM message");
  scene.begin_removal("contact", gone, "20 minutes");
  scene.remove_all();
  CHECK_EQ(scene.progress(id, "failed"), 1);
  CHECK_EQ(scene.progress(id, "pending"), 0);
  CHECK_EQ(scene.told(id, "campaign.messages"), 1);
  CHECK_EQ(scene.told(id, "message.status"), 1);
}

TEST_CASE("campaigns: a contact that became another one is a recipient in its new name, once") {
  Scene scene;
  const auto old = model::new_uuid(), now = model::new_uuid();
  const auto alone = scene.sent("Paused", {old}, false), both = scene.sent("Paused", {now, old}, false),
             sent = scene.sent("Finished", {now, old}, true);
  scene.database.execute("INSERT INTO merged_contact (organization_id, contact_id, into_id) VALUES (" +
                         quoted(scene.organization) + "," + quoted(old) + "," + quoted(now) + ")");
  scene.begin_removal("merged contact", old, "20 minutes");
  scene.remove_all();
  const auto skipped = [&](const Uuid& campaign) {
    return scene.database.execute(
        "SELECT string_agg(coalesce(skipped, '-'), ' ' ORDER BY ordinal) FROM target WHERE "
        "campaign_id = " +
        quoted(campaign));
  };
  CHECK_EQ(scene.database.execute("SELECT contact_id FROM target WHERE campaign_id = " + quoted(alone)), now.text());
  CHECK_EQ(skipped(alone), "-");
  // Of both the second is left out when its turn comes: who sends decides which one that is, and remembers the merge.
  CHECK_EQ(skipped(both), "- -");
  CHECK_EQ(skipped(sent), "- -");
  CHECK_EQ(scene.database.number("SELECT count(*) FROM merged_contact"), 1);
}
