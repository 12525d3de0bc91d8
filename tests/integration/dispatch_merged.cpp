// Campaigns whose recipients turn out to be one person, at whatever moment that is heard: that person is sent to once.
#include "conversations/recovery/deletions/sql.hpp"
#include "tests/integration/dispatch_bed.hpp"
#include "tests/integration/queue_bed.hpp"

using namespace parley;
using namespace parley::dispatch_tests;
using What = dispatch::Result::What;

namespace {

namespace sql = parley::conversations::deletions::sql;

// As the version before has them.
constexpr auto kOldForgetMerged = "DELETE FROM merged_contact WHERE organization_id = $1 AND contact_id = $2";
constexpr auto kOldMoveTargets = R"(
WITH held AS MATERIALIZED (
  SELECT t.campaign_id, t.ordinal, g.into_id, o.ordinal IS NOT NULL AS is_twice
  FROM merged_contact g
    JOIN campaign c ON c.organization_id = $1
    JOIN target t ON t.organization_id = $1 AND t.campaign_id = c.id AND t.contact_id = g.contact_id
    LEFT JOIN target o ON o.organization_id = $1 AND o.campaign_id = c.id AND o.contact_id = g.into_id
    LEFT JOIN message m ON m.organization_id = $1 AND m.id = t.message_id
  WHERE g.organization_id = $1 AND g.contact_id = $2 AND (o.ordinal IS NULL OR (t.skipped IS NULL AND m.id IS NULL))
  ORDER BY t.campaign_id, t.ordinal LIMIT $3
  FOR NO KEY UPDATE OF t
), moved AS (
  UPDATE target t SET contact_id = CASE WHEN held.is_twice THEN t.contact_id ELSE held.into_id END,
    skipped = CASE WHEN held.is_twice THEN 'Duplicate' ELSE t.skipped END
  FROM held
  WHERE t.organization_id = $1 AND t.campaign_id = held.campaign_id AND t.ordinal = held.ordinal
  RETURNING t.campaign_id, held.is_twice
), counted AS (
  INSERT INTO campaign_count AS c (organization_id, campaign_id, quarter, what, slot, n)
  SELECT $1, campaign_id, 'epoch', 'Skipped', 0, count(*)
  FROM moved WHERE is_twice
  GROUP BY campaign_id ORDER BY campaign_id
  ON CONFLICT (organization_id, campaign_id, quarter, what, slot) DO UPDATE SET n = c.n + excluded.n
)
SELECT campaign_id FROM moved)";

// A campaign whose number another dispatcher has, and what that one does with the recipients, each by its ordinal.
struct Scene : Bed {
  explicit Scene(int recipients) : campaign(add_campaign({.recipients = recipients})) {
    take();
    chunk = get(campaign_store.take(number, campaign, {}));
    for (const auto& target : chunk->left) messages.push_back(target.message_id);
    for (int i = 1; i <= recipients; ++i)
      contacts.push_back(*Uuid::parse(value("SELECT contact_id FROM target WHERE ordinal = " + std::to_string(i))));
  }

  // What becomes of these, in their order, when their messages are to be made: "1 Queued, 2 Duplicate".
  std::string intend(const std::vector<int>& ordinals) {
    std::vector<dispatch::NewMessage> made;
    for (const int ordinal : ordinals) made.push_back({ordinal, model::MessageType::Text, R"({"text":"hi"})"});
    const auto intents = get(campaign_store.intend(number, campaign, made));
    std::string out;
    for (const int ordinal : ordinals)
      for (const auto& intent : intents)
        if (intent.message_id == message(ordinal))
          out += (out.empty() ? "" : ", ") + std::to_string(ordinal) + " " + std::string(model::name_of(intent.fate));
    return out;
  }
  // It was sent and ended so.
  void end(int ordinal, What what) {
    const auto& target = chunk->left[static_cast<std::size_t>(ordinal - 1)];
    dispatch::Result result;
    result.what = what;
    result.message_id = result.claim = target.message_id;
    result.contact_id = contact(ordinal);
    result.first = true;
    result.recipient = target.recipient;
    if (what == What::sent) result.channel_message_id = "wamid." + target.message_id.text();
    if (what == What::failed) result.text = "the number is none";
    dispatch::Record record;
    record.owner = stranger;
    record.results = {result};
    run(store.record(number, record));
  }
  // The other dispatcher is gone, and one that works as ever goes on to the end.
  void finish() {
    value("UPDATE sender SET owner = NULL, lease_until = NULL; UPDATE chunk SET owner = NULL");
    start();
    until([&] {
      return over(campaign) && database.number("SELECT count(*) FROM outgoing WHERE state <> 'InDoubt'") == 0;
    });
    stop();
  }
  void merge(int from, int into) { Bed::merge(contact(from), contact(into)); }
  const Uuid& contact(int ordinal) const { return contacts[static_cast<std::size_t>(ordinal - 1)]; }
  const Uuid& message(int ordinal) const { return messages[static_cast<std::size_t>(ordinal - 1)]; }
  void remove(int ordinal) { Bed::remove(contact(ordinal)); }
  std::int64_t remembered() const { return database.number("SELECT count(*) FROM merged_contact"); }
  // Under whose names there are recipients, whether anything is known of them, and why they are left out: "1 known, 2
  // Deleted".
  std::string recipients() const {
    std::string names;
    for (std::size_t i = 0; i < contacts.size(); ++i)
      names += " WHEN " + quoted(contacts[i]) + " THEN '" + std::to_string(i + 1) + "'";
    return value("SELECT string_agg(concat_ws(' ', CASE contact_id" + names +
                 " ELSE 'other' END, CASE WHEN recipient <> '' OR parameters <> '{}' THEN 'known' END, skipped), ', ' "
                 "ORDER BY ordinal) FROM target");
  }
  // What the version before does with a merge.
  void run_old(const std::string& statement, int from) {
    value("PREPARE old (uuid, uuid, int8) AS " + statement + "; EXECUTE old(" + quoted(organization) + ", " +
          quoted(contact(from)) + ", 100); DEALLOCATE old");
  }
  // Everybody has an end, and is counted once.
  void check_figures() {
    CHECK_EQ(value("SELECT count(*) FROM target t LEFT JOIN message m ON m.id = t.message_id WHERE (t.skipped IS NULL) "
                   "= (m.id IS NULL)"),
             "0");
    CHECK_EQ(figure(campaign, "Skipped"), database.number("SELECT count(*) FROM target WHERE skipped IS NOT NULL"));
    for (const auto* status : {"Queued", "Sent", "Failed"})
      CHECK_EQ(figure(campaign, status), Bed::messages(campaign, status));
  }

  dispatch::NumberId number{organization, "1"};
  Uuid campaign;
  std::shared_ptr<dispatch::Chunk> chunk;
  std::vector<Uuid> contacts, messages;
};

// Soon after the merge was heard, and when all that it leads to has been done.
constexpr auto kMoments = {false, true};

}  // namespace

TEST_SUITE("integration: dispatch to merged contacts") {
  TEST_CASE("one that was sent to, or may have been, is merged into another whose turn comes then") {
    for (const bool late : kMoments)
      for (const auto what : {What::sent, What::in_doubt, What::again}) {
        CAPTURE(late);
        CAPTURE(int(what));
        Scene scene(2);
        CHECK_EQ(scene.intend({1}), "1 Queued");
        scene.end(1, what);
        scene.merge(1, 2);
        if (late) scene.sweep();
        CHECK_EQ(scene.intend({2}), "2 Duplicate");
        scene.finish();
        CHECK_EQ(scene.channel.sent.size(), what == What::again ? 1 : 0);
        scene.check_figures();
      }
  }

  TEST_CASE("the message was made and is on its way when the merge is heard, and then comes the other's turn") {
    for (const bool late : kMoments) {
      CAPTURE(late);
      Scene scene(2);
      CHECK_EQ(scene.intend({1}), "1 Queued");
      scene.merge(1, 2);
      if (late) scene.sweep();
      CHECK_EQ(scene.intend({2}), "2 Duplicate");
      scene.end(1, What::sent);
      scene.check_figures();
    }
  }

  TEST_CASE("who surely was not sent to keeps nobody from it") {
    for (const bool late : kMoments) {
      Scene scene(2);
      CHECK_EQ(scene.intend({1}), "1 Queued");
      scene.end(1, What::failed);
      scene.merge(1, 2);
      if (late) scene.sweep();
      CHECK_EQ(scene.intend({2}), "2 Queued");
    }
  }

  TEST_CASE("who may have been sent to before a backup was restored keeps the others from it") {
    Scene scene(3);
    scene.value("UPDATE campaign SET doubtful = 2");
    scene.merge(1, 3);
    scene.merge(2, 3);
    CHECK_EQ(scene.intend({3}), "3 Duplicate");
    scene.finish();
    CHECK(scene.channel.sent.empty());
    CHECK_EQ(scene.value("SELECT count(*) FROM outgoing WHERE state = 'InDoubt'"), "2");
    scene.check_figures();
  }

  TEST_CASE("of several that are merged into one that is no recipient one is sent to, together or one after another") {
    for (const bool late : kMoments) {
      CAPTURE(late);
      const auto heir = model::new_uuid();
      Scene together(2);
      for (const int ordinal : {1, 2}) together.Bed::merge(together.contact(ordinal), heir);
      if (late) together.sweep();
      CHECK_EQ(together.intend({1, 2}), "1 Queued, 2 Duplicate");
      CHECK_EQ(together.value("SELECT contact_id FROM message"), heir.text());
      together.end(1, What::sent);
      together.check_figures();

      Scene after(2);
      CHECK_EQ(after.intend({2}), "2 Queued");
      for (const int ordinal : {1, 2}) {
        after.Bed::merge(after.contact(ordinal), heir);
        if (late) after.sweep();
      }
      CHECK_EQ(after.intend({1}), "1 Duplicate");
      after.end(2, What::sent);
      after.check_figures();
    }
  }

  TEST_CASE("a chain of merges: whoever of it was sent to, the others are not, wherever the merges are heard") {
    for (const bool late : kMoments)
      for (const int first : {1, 2, 3}) {
        CAPTURE(late);
        CAPTURE(first);
        Scene scene(4);
        CHECK_EQ(scene.intend({first}), std::to_string(first) + " Queued");
        scene.merge(1, 2);
        if (late) scene.sweep();
        scene.merge(2, 3);
        if (late) scene.sweep();
        std::string expected;
        for (const int ordinal : {1, 2, 3})
          if (ordinal != first) expected += std::to_string(ordinal) + " Duplicate, ";
        CHECK_EQ(scene.intend({1, 2, 3, 4}), expected + "4 Queued");
        scene.end(first, What::sent);
        scene.check_figures();
      }
  }

  TEST_CASE("a merge that is heard behind one that it precedes leads to the same one") {
    Scene scene(3);
    CHECK_EQ(scene.intend({1}), "1 Queued");
    scene.merge(2, 3);
    scene.merge(1, 2);
    CHECK_EQ(scene.intend({2, 3}), "2 Duplicate, 3 Duplicate");
    // One that is there again, as after a restored backup, is itself.
    scene.merge(3, 1);
    CHECK_EQ(scene.value("SELECT count(*) FROM merged_contact WHERE contact_id = into_id"), "0");
    CHECK_EQ(scene.value("SELECT count(DISTINCT into_id) FROM merged_contact"), "1");
  }

  TEST_CASE("whose messages all wait to be tried again when the merge is heard: one of them goes") {
    for (const bool late : kMoments) {
      CAPTURE(late);
      Scene scene(3);
      const auto heir = model::new_uuid();
      CHECK_EQ(scene.intend({1, 2, 3}), "1 Queued, 2 Queued, 3 Queued");
      for (const int ordinal : {1, 2, 3}) scene.end(ordinal, What::again);
      scene.merge(1, 2);
      scene.Bed::merge(scene.contact(3), heir);  // nobody's double
      if (late) scene.sweep();
      scene.finish();
      CHECK_EQ(scene.channel.accepted.size(), 2);
      CHECK_EQ(scene.channel.texts_to("491701000003").size(), 1);
      CHECK_EQ(scene.Bed::messages(scene.campaign, "Sent"), 2);
      CHECK_EQ(scene.Bed::messages(scene.campaign, "Failed"), 1);
      CHECK_EQ(scene.value("SELECT count(*) FROM message WHERE status = 'Failed' AND error_code IS NULL AND error_text "
                           "<> 'unknown'"),
               "1");
      scene.check_figures();
    }
  }

  TEST_CASE("one's message waits, and the other's has been sent meanwhile: it goes no more") {
    Scene scene(2);
    CHECK_EQ(scene.intend({1, 2}), "1 Queued, 2 Queued");
    scene.end(2, What::again);
    scene.end(1, What::in_doubt);
    scene.merge(1, 2);
    scene.finish();
    CHECK(scene.channel.sent.empty());
    CHECK_EQ(scene.status(scene.message(2)), "Failed");
  }

  TEST_CASE("merges are remembered as long as a campaign may come to whom they are about") {
    Scene scene(2);
    CHECK_EQ(scene.intend({1}), "1 Queued");
    scene.end(1, What::sent);
    scene.merge(1, 2);
    scene.sweep();
    CHECK_EQ(scene.remembered(), 1);
    scene.value("UPDATE campaign SET status = 'Paused'");
    scene.forget_merges();
    CHECK_EQ(scene.remembered(), 1);
    scene.value("UPDATE campaign SET status = 'Cancelled'");
    scene.forget_merges();
    CHECK_EQ(scene.remembered(), 0);
    Scene other(1);  // has none of them
    other.Bed::merge(model::new_uuid(), model::new_uuid());
    other.sweep();
    CHECK_EQ(other.remembered(), 0);
  }

  TEST_CASE("who is deleted is so under all names, while a campaign may come to them and when it has ended") {
    for (const bool ended : {false, true}) {
      CAPTURE(ended);
      Scene scene(4);
      CHECK_EQ(scene.intend({1}), "1 Queued");
      scene.end(1, What::sent);
      scene.merge(1, 2);
      scene.merge(2, 3);
      scene.sweep();
      CHECK_EQ(scene.remembered(), 2);
      if (ended) {
        scene.value("UPDATE campaign SET status = 'Cancelled'");
        scene.forget_merges();
        CHECK_EQ(scene.remembered(), 0);
      }
      scene.remove(3);
      scene.sweep();
      CHECK_EQ(scene.recipients(), ended ? "1, 2, 3 Deleted, 4 known" : "1, 2 Deleted, 3 Deleted, 4 known");
    }
  }

  TEST_CASE("a merge that is forgotten leaves nothing under a name that nobody knows") {
    Scene scene(3);
    const auto heir = model::new_uuid();
    scene.value("UPDATE campaign SET audience_done = false");
    scene.Bed::merge(scene.contact(1), heir);
    scene.merge(2, 3);
    scene.sweep();
    CHECK_EQ(scene.recipients(), "1 known, 2 known, 3 known");
    scene.value("UPDATE campaign SET status = 'Cancelled'");
    scene.forget_merges();
    CHECK_EQ(scene.recipients(), "other known, 2, 3 known");
    scene.Bed::remove(heir);
    scene.sweep();
    CHECK_EQ(scene.recipients(), "other Deleted, 2, 3 known");
  }

  TEST_CASE("what the version before does with a merge lets nobody be sent to twice") {
    for (const bool gathered : {true, false}) {
      CAPTURE(gathered);
      Scene scene(2);
      CHECK_EQ(scene.intend({1}), "1 Queued");
      scene.end(1, What::in_doubt);
      const auto heir = gathered ? scene.contact(2) : model::new_uuid();
      if (!gathered) scene.value("UPDATE campaign SET audience_done = false");
      scene.Bed::merge(scene.contact(1), heir);
      scene.run_old(kOldMoveTargets, 1);
      scene.run_old(kOldForgetMerged, 1);
      CHECK_EQ(scene.recipients(), "1 known, 2 known");
      CHECK_EQ(scene.remembered(), 1);
      // The audience brings whom the other was merged into.
      if (!gathered)
        scene.value("UPDATE campaign SET audience_done = true; UPDATE target SET contact_id = " + quoted(heir) +
                    " WHERE ordinal = 2");
      CHECK_EQ(scene.intend({2}), "2 Duplicate");
    }
  }
  TEST_CASE("who is removed by the version before stays to be removed as long as another name has something") {
    Scene scene(2);
    scene.merge(1, 2);
    scene.sweep();
    scene.remove(2);
    scene.value("UPDATE target SET recipient = '', parameters = '{}', skipped = 'Deleted' WHERE contact_id = " +
                quoted(scene.contact(2)));
    scene.value("DELETE FROM removal");
    CHECK_EQ(scene.recipients(), "1 known, 2 Deleted");
    CHECK_EQ(scene.value("SELECT count(*) FROM removal WHERE due_at > now()"), "1");  // the others' turn
    scene.value("UPDATE removal SET due_at = now()");
    scene.sweep();
    CHECK_EQ(scene.recipients(), "1 Deleted, 2 Deleted");
  }

  TEST_CASE("merges are forgotten few at a time, as each is one in all campaigns") {
    Scene scene(1);
    scene.value("INSERT INTO merged_contact SELECT " + quoted(scene.organization) +
                ", gen_random_uuid(), gen_random_uuid() FROM generate_series(1, 25)");
    CHECK(scene.forget_merges());
    CHECK_EQ(scene.remembered(), 15);
    CHECK(scene.forget_merges());
    CHECK(!scene.forget_merges());
    CHECK_EQ(scene.remembered(), 0);
  }

  TEST_CASE("what is done of a person goes through campaigns, not through who is in them, though planned for none") {
    constexpr int kCampaigns = 200;
    const Bed bed;
    const auto organization = quoted(bed.organization), from = quoted(model::new_uuid()),
               into = quoted(model::new_uuid());
    queue_tests::Session session(bed.database.url());
    // Each campaign has the merged one and others. The queue has others' messages, in the order of its keys.
    const auto fill = [&](int campaigns, int recipients) {
      const auto n = std::to_string(campaigns);
      session.execute(
          "INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, "
          "expires_at) "
          "SELECT " +
          organization +
          ", lpad(to_hex(n), 32, '0')::uuid, 'Message', '1', gen_random_uuid(), '', 'infinity' FROM "
          "generate_series(" +
          n + ", 11 * " + n + ") n");
      session.execute(
          "WITH c AS (INSERT INTO campaign (organization_id, id, name, status, audience_done) SELECT " + organization +
          ", gen_random_uuid(), '', 'Finished', true FROM generate_series(1, " + n +
          ") RETURNING id) INSERT INTO target (organization_id, campaign_id, ordinal, contact_id, recipient, "
          "message_id, parameters) SELECT " +
          organization + ", c.id, n, CASE n WHEN 1 THEN " + from +
          "::uuid ELSE gen_random_uuid() END, '+49', gen_random_uuid(), '{}' FROM c, generate_series(1, " +
          std::to_string(recipients) + ") n");
    };
    session.execute("BEGIN; INSERT INTO merged_contact VALUES (" + organization + ", " + from + ", " + into +
                    "); INSERT INTO removal (organization_id, kind, id, started_at) VALUES (" + organization +
                    ", 'contact', " + into + ", now() - interval '1 hour')");
    fill(1, 1);
    const std::vector<std::tuple<std::string, const pg::Statement*, std::string>> steps{
        {"move_targets", &sql::move_targets, organization + ", " + from + ", 2000"},
        {"targets_of_contact", &sql::targets_of_contact, organization + ", " + into + ", 2000"},
        {"outgoing_of_contact", &sql::outgoing_of_contact, organization + ", " + into + ", 2000"},
        {"forget_merged", &sql::forget_merged, organization + ", " + from}};
    for (const auto& [name, statement, arguments] : steps) {
      session.prepare(name, *statement);
      session.cost(name, arguments);
    }
    fill(kCampaigns, kCampaigns);
    for (const auto& [name, statement, arguments] : steps) {
      const auto cost = session.cost(name, arguments);
      MESSAGE("pages of " << name << " in " << kCampaigns << " campaigns: " << cost);
      CHECK(cost < (statement == &sql::outgoing_of_contact ? 5 : 100) * kCampaigns);
    }
  }
}
