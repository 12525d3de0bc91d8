// Experiments: a part of the recipients first, the winner to the rest, each of them one message, whatever comes
// between.
#include "conversations/campaigns/experiments/store.hpp"
#include "tests/integration/dispatch_bed.hpp"

using namespace parley;
using namespace parley::dispatch_tests;
using experiments::DecidedBy;

namespace {

struct Scene : Bed {
  pg::Pool pool{process.context(), database.settings()};
  experiments::Store experiments{pool};
  Uuid campaign;

  // A fifth of them is the test part: half of it has the variant.
  explicit Scene(int recipients, const std::string& plan = R"({"share":20,"rule":"Replied","minimum":1,)"
                                                           R"("decideAfterSeconds":0})") {
    pool.start();
    until([&] { return pool.available(); });
    campaign = add_campaign({.recipients = recipients, .text = "own {{name}}"});
    value("UPDATE campaign SET started_at = now(), experiment = '" + plan + "', variants = " +
          R"('[{"name": "B", "share": 50, "message": {"type": "Text", "text": "other {{name}}"}}]')");
    // As the audience makes them.
    value("UPDATE target SET variant = CASE WHEN ordinal % 5 = 0 THEN ordinal / 5 % 2 ELSE -1 END");
  }

  bool is(const std::string& column, const std::string& expected) const {
    return value("SELECT coalesce(" + column + "::text, 'null') FROM campaign") == expected;
  }
  std::int64_t count(const std::string& from) const { return database.number("SELECT count(*) FROM " + from); }
  std::int64_t accepted() const { return std::ssize(channel.accepted); }
  bool is_tested() {
    get(experiments.note_tested(10));
    return !is("experiment_tested_at", "null");
  }
  void test() {
    start();
    until([&] { return over(campaign) && is_tested(); });
  }
  void reply(int variant) {
    value(
        "INSERT INTO engagement (organization_id, campaign_id, message_id, replies) SELECT organization_id, "
        "campaign_id, id, 1 FROM message WHERE variant = " +
        std::to_string(variant) + " LIMIT 1");
  }
  awaitable<bool> picked(std::int64_t variant) {
    auto transaction = co_await pool.begin();
    const bool decided =
        co_await experiments::Store::decide(transaction, organization, campaign, variant, DecidedBy::Member);
    co_await transaction.commit();
    co_return decided;
  }
  bool pick(std::int64_t variant) { return get(picked(variant)); }
  bool finishes() {
    value("UPDATE campaign_rate SET at = at - interval '1 second'");
    get(campaigns.look());
    return is("status", "Finished");
  }
  // Each was sent once, the test part by its variants and the rest that one.
  void check_all(int recipients, const std::string& rest) {
    CHECK_EQ(accepted(), recipients);
    for (const auto& [opaque, times] : channel.accepted) CHECK_EQ(times, 1);
    for (const auto& sent : channel.sent) {
      const auto ordinal = std::stoi(sent.recipient.substr(sent.recipient.size() - 7)) - 1'000'000;
      const auto* word = ordinal % 5 == 0 ? (ordinal / 5 % 2 == 1 ? "other " : "own ") : rest.c_str();
      CHECK_MESSAGE(sent.text.starts_with(word), sent.text);
    }
  }
};

}  // namespace

TEST_SUITE("integration: experiments") {
  TEST_CASE("the rest waits for the rule, which sends it the winner") {
    Scene scene(1'200);
    scene.test();
    CHECK_EQ(scene.accepted(), 240);
    CHECK_FALSE(scene.finishes());
    CHECK_EQ(scene.count("chunk WHERE rest"), 0);
    scene.reply(1);
    CHECK_EQ(scene.get(scene.experiments.decide_due(10)), 1);
    CHECK(scene.is("winner", "1"));
    CHECK(scene.is("decided_by", "Rule"));
    CHECK_FALSE(scene.finishes());
    scene.until([&] { return scene.over(scene.campaign); });
    scene.check_all(1'200, "other ");
    CHECK(scene.finishes());
    CHECK_EQ(scene.count("message WHERE variant = -1"), 960);
    CHECK_EQ(scene.figure(scene.campaign, "Sent"), 1'200);
  }

  TEST_CASE("without any status or reply the rule takes the campaign's own message") {
    Scene scene(50);
    scene.test();
    CHECK_EQ(scene.get(scene.experiments.decide_due(10)), 1);
    CHECK(scene.is("winner", "0"));
    scene.until([&] { return scene.over(scene.campaign); });
    scene.check_all(50, "own ");
  }

  TEST_CASE("neither the end of the test nor the rule comes while messages of the test part are to be tried again") {
    Scene scene(50);
    scene.test();
    scene.value("UPDATE campaign SET experiment_tested_at = NULL, experiment_due_at = NULL");
    const auto message = scene.value("SELECT id FROM message LIMIT 1");
    scene.value(
        "INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, state, "
        "expires_at, campaign_id) SELECT organization_id, id, 'Message', 'another', contact_id, '+49', 'Due', "
        "'infinity', campaign_id FROM message WHERE id = '" +
        message + "'");
    CHECK_FALSE(scene.is_tested());
    CHECK_EQ(scene.get(scene.experiments.decide_due(10)), 0);
    scene.value("UPDATE outgoing SET state = 'InDoubt'");
    CHECK(scene.is_tested());
    CHECK_EQ(scene.get(scene.experiments.decide_due(10)), 1);
  }

  TEST_CASE("a pick and many workers decide once, and nobody gets two messages or none") {
    for (int round = 0; round < 3; ++round) {
      Scene scene(700);
      scene.test();
      int over = 0;
      std::int64_t decided = 0;
      const auto work = [](Scene& bed, std::int64_t& sum, int& done) -> awaitable<void> {
        sum += co_await bed.experiments.decide_due(10);
        ++done;
      };
      const auto picks = [](Scene& bed, std::int64_t& sum, int& done) -> awaitable<void> {
        sum += co_await bed.picked(1);
        ++done;
      };
      for (int i = 0; i < 3; ++i) {
        if (i == round) scene.process.spawn("a pick", picks(scene, decided, over));
        scene.process.spawn("a rule", work(scene, decided, over));
      }
      scene.until([&] { return over == 4; });
      // The rule's transaction counts what it has locked, and that was not decided before.
      CHECK_EQ(decided, 1);
      CHECK_EQ(scene.count("chunk WHERE rest"), 2);
      CHECK_FALSE(scene.pick(0));
      scene.until([&] { return scene.over(scene.campaign); });
      scene.check_all(700, scene.is("winner", "1") ? "other " : "own ");
    }
  }

  TEST_CASE("a pick while the test part is sent lets that go on, and the rest begin") {
    Scene scene(2'000, R"({"share":20,"rule":"Read","minimum":1})");
    scene.channel.reply = [](const Sent&) { return Reply{.delay = 5ms}; };
    scene.start();
    scene.until([&] { return scene.accepted() > 20; });
    REQUIRE(scene.pick(1));
    scene.until([&] { return scene.over(scene.campaign); });
    scene.check_all(2'000, "other ");
    CHECK(scene.finishes());
  }

  TEST_CASE("a paused one is decided when it goes on, a cancelled one never, and one without a time not by itself") {
    Scene scene(100);
    scene.test();
    scene.value("UPDATE campaign SET status = 'Paused'");
    CHECK_EQ(scene.get(scene.experiments.decide_due(10)), 0);
    scene.value("UPDATE campaign SET status = 'Running', experiment_due_at = now() + interval '1 hour'");
    CHECK_EQ(scene.get(scene.experiments.decide_due(10)), 0);
    scene.value("UPDATE campaign SET experiment_due_at = NULL");
    CHECK_EQ(scene.get(scene.experiments.decide_due(10)), 0);
    scene.value("UPDATE campaign SET status = 'Paused'");
    REQUIRE(scene.pick(1));
    scene.run_for(100ms);
    CHECK_EQ(scene.accepted(), 20);
    scene.value("UPDATE campaign SET status = 'Running'");
    scene.until([&] { return scene.over(scene.campaign); });
    scene.check_all(100, "other ");

    Scene cancelled(100);
    cancelled.test();
    cancelled.value("UPDATE campaign SET status = 'Cancelled'");
    CHECK_EQ(cancelled.get(cancelled.experiments.decide_due(10)), 0);
    CHECK_FALSE(cancelled.pick(1));
    CHECK_EQ(cancelled.accepted(), 20);
  }

  TEST_CASE("a pause that is committed while the rule decides holds") {
    Scene scene(100);
    scene.test();
    conversations_tests::Session member(scene.database);
    member.execute("BEGIN");
    member.execute("UPDATE campaign SET status = 'Paused'");
    CHECK_EQ(scene.get(scene.experiments.decide_due(10)), 0);  // waits for nobody
    member.execute("COMMIT");
    CHECK_EQ(scene.get(scene.experiments.decide_due(10)), 0);
    scene.value("UPDATE campaign SET status = 'Running'");
    CHECK_EQ(scene.get(scene.experiments.decide_due(10)), 1);
    scene.until([&] { return scene.over(scene.campaign); });
    scene.check_all(100, "own ");
  }

  TEST_CASE("of a dispatcher that died in the rest only what it was sending is in doubt, the others get the winner") {
    Scene scene(100);
    scene.take();
    scene.value("UPDATE chunk SET done = true");
    scene.value("UPDATE target SET skipped = 'Invalid' WHERE variant >= 0");
    REQUIRE(scene.pick(1));
    const auto chunk = scene.get(scene.campaign_store.take({scene.organization, "1"}, scene.campaign, {}));
    REQUIRE(chunk);
    CHECK_EQ(chunk->left.size(), 80);
    CHECK_EQ(chunk->left.front().variant, 1);
    REQUIRE_EQ(scene.intend(*chunk, 7).size(), 7);
    CHECK_EQ(scene.count("message WHERE variant = -1"), 7);
    scene.value("UPDATE sender SET lease_until = now() - interval '1 s'");
    scene.start();
    scene.until([&] { return scene.over(scene.campaign); });
    CHECK_EQ(scene.accepted(), 73);
    for (const auto& [opaque, times] : scene.channel.accepted) CHECK_EQ(times, 1);
    CHECK_EQ(scene.count("outgoing WHERE state = 'InDoubt'"), 7);
  }

  TEST_CASE("one person under two names, in the test part and in the rest, gets one message") {
    Scene scene(20);
    const auto contact = [&](int ordinal) {
      return *Uuid::parse(scene.value("SELECT contact_id FROM target WHERE ordinal = " + std::to_string(ordinal)));
    };
    scene.merge(contact(5), contact(6));    // the test part's into the rest's, before anything is sent
    scene.merge(contact(11), contact(10));  // and the other way round
    scene.test();
    scene.merge(contact(16), contact(15));  // after the test part was sent
    REQUIRE(scene.pick(1));
    scene.until([&] { return scene.over(scene.campaign); });
    CHECK_EQ(scene.accepted(), 17);
    for (const auto& [opaque, times] : scene.channel.accepted) CHECK_EQ(times, 1);
    CHECK_EQ(scene.count("target WHERE skipped = 'Duplicate'"), 3);
    CHECK(scene.finishes());
  }
}
