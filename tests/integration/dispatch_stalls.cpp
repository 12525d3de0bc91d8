// Transactions that are waited for, dispatchers that stand still, and commits that nobody answers: what was known is
// not lost.
#include "tests/integration/dispatch_bed.hpp"
#include "tests/support/fault_proxy.hpp"
#include "tests/support/sql.hpp"

using namespace parley;
using namespace parley::dispatch_tests;
using What = dispatch::Result::What;

namespace {

// A transaction of somebody else's, open until its end.
class Other {
 public:
  Other(const Bed& bed, const std::string& sql) : session_(bed.database.url()) { session_.rows("BEGIN; " + sql); }
  void commit() { session_.rows("COMMIT"); }

 private:
  support::Sql session_;
};

// The transaction in which the stranger makes the messages of a campaign's first two targets, open until its end.
Other making(const Bed& bed, const Uuid& campaign) {
  return Other(bed, "SELECT * FROM campaign_intents(" + quoted(bed.organization) + ", '1', " + quoted(bed.stranger) +
                        ", " + quoted(campaign) +
                        ", ARRAY[1, 2], ARRAY[gen_random_uuid(), gen_random_uuid()], ARRAY['Text', 'Text'], "
                        "ARRAY['{\"text\": \"hi\"}', '{\"text\": \"hi\"}'])");
}

// Writes down what is known while another's transaction holds the rows, which is waited for and committed then.
void record_behind(Bed& bed, Other& other, const dispatch::Record& record) {
  bool over = false;
  bed.begin(bed.store.record({bed.organization, "1"}, record), over);
  bed.until([&] { return over || bed.is_blocked(); });
  other.commit();
  bed.until([&] { return over; });
}

// A database whose commits wait for a standby that is away: only the dispatchers', who were connected before.
class Standstill {
 public:
  Standstill(const Bed& bed, support::FaultProxy& proxy) : bed_(bed), proxy_(proxy) {
    bed.value(
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = local', current_database()); END $$");
    bed.value("SET synchronous_commit = local");  // the session that stands
    set("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
  }
  ~Standstill() { end(); }
  // A commit waits that changed this table.
  bool holds(const std::string& table) const {
    return bed_.value(
               "SELECT count(*) > 0 FROM pg_stat_activity JOIN pg_locks l USING (pid) WHERE wait_event = 'SyncRep' "
               "AND l.mode = 'RowExclusiveLock' AND l.relation = '" +
               table + "'::regclass") == "t";
  }
  // The connections end, which the commits do not notice.
  void cut(Bed& bed) {
    proxy_.cut(true);
    bed.until([&] { return proxy_.connections() == 0; });
  }
  void end() { set("ALTER SYSTEM RESET synchronous_standby_names"); }

 private:
  static void set(const std::string& sql) {
    pg_tests::shared_server().execute(sql);
    pg_tests::shared_server().execute("SELECT pg_reload_conf()");
  }
  const Bed& bed_;
  support::FaultProxy& proxy_;
};

}  // namespace

TEST_SUITE("integration: dispatch stalls") {
  TEST_CASE("an acceptance that waits for who changes the message is written down") {
    Bed bed;
    const auto message = bed.add();
    const auto claim = model::new_uuid();
    bed.value("UPDATE outgoing SET state = 'Sending', attempt = 1, claim = " + quoted(claim));
    Other other(bed, "UPDATE message SET data = data || '{\"changed\": true}' WHERE id = " + quoted(message));
    dispatch::Record record;
    record.results.push_back(
        {.what = What::sent, .message_id = message, .claim = claim, .channel_message_id = "wamid.1"});
    record_behind(bed, other, record);
    CHECK(bed.status(message) == "Sent");
    CHECK(bed.value("SELECT channel_message_id || (data ->> 'changed') FROM message") == "wamid.1true");
    CHECK(bed.queued(message).empty());
    CHECK(bed.told("message.status") == 1);
  }

  TEST_CASE("what another claims meanwhile is the other's") {
    Bed bed;
    const auto message = bed.add(), mine = model::new_uuid(), theirs = model::new_uuid();
    const dispatch::NumberId number{bed.organization, "1"};
    REQUIRE(bed.get(bed.store.take(bed.stranger, {number})).size() == 1);
    const auto look = bed.get(bed.store.look(number, {}, 10));
    REQUIRE(look.due.size() == 1);
    Other other(bed, "UPDATE outgoing SET state = 'Sending', attempt = 1, claim = " + quoted(theirs));
    bool over = false;
    std::vector<dispatch::Item> claimed;
    bed.begin(
        [](Bed& b, const dispatch::Store::Look& seen, Uuid claim, std::vector<dispatch::Item>& out) -> awaitable<void> {
          out = co_await b.store.claim({b.organization, "1"}, b.stranger, claim, seen.due);
        }(bed, look, mine, claimed),
        over);
    bed.until([&] { return over || bed.is_blocked(); });
    other.commit();
    bed.until([&] { return over; });
    CHECK(claimed.empty());
    CHECK(bed.queued(message, "claim || ' ' || attempt") == theirs.text() + " 1");
  }

  TEST_CASE("of a dispatcher that stood still past its campaign's end: what it puts back is not left Queued for ever") {
    Bed bed;
    const dispatch::NumberId number{bed.organization, "1"};
    const auto campaign = bed.add_campaign({.recipients = 6});
    bed.take();
    const auto chunk = bed.get(bed.campaign_store.take(number, campaign, {}));
    REQUIRE(bed.intend(*chunk, 5).size() == 5);
    const auto& [unsent, accepted, given_up, sent, second] =
        std::tie(chunk->left[0], chunk->left[1], chunk->left[2], chunk->left[3], chunk->left[4]);
    const auto record = [&](std::vector<dispatch::Result> results) {
      dispatch::Record all;
      all.results = std::move(results);
      bed.run(bed.store.record(number, all));
    };
    // One is under way for the second time.
    record({result_of(second, What::again)});
    const auto claim = model::new_uuid();
    const auto look = bed.get(bed.store.look(number, {}, 10));
    REQUIRE(bed.get(bed.store.claim(number, bed.stranger, claim, look.due)).size() == 1);
    // It stands still; another goes on, and the campaign is done but for what is in doubt.
    bed.value("UPDATE sender SET lease_until = now() - interval '1 s'");
    bed.start();
    bed.until([&] { return bed.over(campaign); });
    bed.get(bed.campaigns.look());
    REQUIRE(bed.value("SELECT status FROM campaign") == "Finished");
    REQUIRE(bed.value("SELECT count(*) FROM outgoing WHERE state = 'InDoubt'") == "5");
    // Of one a status comes, another's doubt is over.
    record({result_of(accepted, What::sent)});
    bed.value("UPDATE outgoing SET due_at = now() WHERE message_id = " + quoted(given_up.message_id));
    bed.until([&] { return bed.status(given_up.message_id) == "Failed"; });
    // It wakes. The commit of what it says is not answered, so that it says so again.
    auto put_back = result_of(second, What::again);
    put_back.first = false;
    put_back.claim = claim;
    const std::vector<dispatch::Result> known{result_of(unsent, What::again), result_of(accepted, What::again),
                                              result_of(given_up, What::again), result_of(sent, What::sent), put_back};
    record(known);
    CHECK(bed.queued(unsent.message_id) == "Due");
    record(known);
    bed.get(bed.campaigns.settle_ended());
    record(known);
    const auto fate = [&](const dispatch::Target& target) {
      return bed.value("SELECT concat_ws(': ', status, error_text) FROM message WHERE id = " +
                       quoted(target.message_id));
    };
    CHECK(fate(unsent) == "Failed: the campaign had finished before it could be sent");
    CHECK(fate(second) == "Failed: the campaign had finished before it could be sent");
    CHECK(fate(accepted) == "Sent");
    CHECK(fate(given_up) == "Failed: unknown");
    CHECK(fate(sent) == "Sent");
    CHECK(bed.value("SELECT count(*) FROM outgoing") == "0");
    CHECK(bed.figure(campaign, "Queued") == 0);
    CHECK(bed.figure(campaign, "Failed") == 3);
    CHECK(bed.figure(campaign, "Sent") == 3);
    CHECK(bed.channel.sent.size() == 1);
  }

  TEST_CASE("a claim that was not answered is waited for and taken back: nothing was sent by it") {
    Bed bed;
    const auto message = bed.add();
    const auto claim = model::new_uuid();
    Other other(bed, "UPDATE outgoing SET state = 'Sending', attempt = 1, claim = " + quoted(claim));
    dispatch::Record record;
    record.void_claims.push_back({claim, {message}});
    record_behind(bed, other, record);
    CHECK(bed.queued(message, "state || attempt") == "Due0");
  }

  TEST_CASE("a claim that begins only when it was given up finds nothing") {
    Bed bed;
    const auto message = bed.add(), claim = model::new_uuid();
    const dispatch::NumberId number{bed.organization, "1"};
    REQUIRE(bed.get(bed.store.take(bed.stranger, {number})).size() == 1);
    const auto seen = bed.get(bed.store.look(number, {}, 10));
    REQUIRE(seen.due.size() == 1);
    dispatch::Record record;
    record.void_claims.push_back({claim, {message}});
    bed.run(bed.store.record(number, record));
    CHECK(bed.get(bed.store.claim(number, bed.stranger, claim, seen.due)).empty());
    CHECK(bed.queued(message, "state || attempt") == "Due0");
    const auto again = bed.get(bed.store.look(number, {}, 10));
    CHECK(bed.get(bed.store.claim(number, bed.stranger, model::new_uuid(), again.due)).size() == 1);
  }

  TEST_CASE("a claim that was given up while it waited for one of its messages claims none of them") {
    Bed bed;
    const std::vector messages{bed.add(), bed.add({.recipient = "+4952"})};
    const auto claim = model::new_uuid();
    const dispatch::NumberId number{bed.organization, "1"};
    REQUIRE(bed.get(bed.store.take(bed.stranger, {number})).size() == 1);
    const auto seen = bed.get(bed.store.look(number, {}, 10));
    REQUIRE(seen.due.size() == 2);
    Other other(bed, "SELECT FROM outgoing WHERE message_id = " + quoted(messages[0]) + " FOR UPDATE");
    bool claimed = false, recorded = false;
    bed.begin(
        [](Bed& b, const dispatch::Store::Look& look, Uuid id) -> awaitable<void> {
          co_await b.store.claim({b.organization, "1"}, b.stranger, id, look.due);
        }(bed, seen, claim),
        claimed);
    bed.until([&] { return bed.is_blocked("outgoing_claim"); });
    dispatch::Record record;
    record.void_claims.push_back({claim, messages});
    bed.begin(bed.store.record(number, record), recorded);
    bed.until([&] { return bed.is_blocked("SELECT outgoing_unclaim"); });
    other.commit();
    bed.until([&] { return claimed && recorded; });
    for (const auto& message : messages) CHECK(bed.queued(message, "state || attempt") == "Due0");
  }

  TEST_CASE("messages whose making was not answered are waited for and put back, also of a campaign that ended") {
    Bed bed;
    const auto campaign = bed.add_campaign({.recipients = 2});
    bed.take();
    const auto chunk = bed.get(bed.campaign_store.take({bed.organization, "1"}, campaign, {}));
    auto other = making(bed, campaign);
    bed.value("UPDATE campaign SET status = 'Cancelled', finished_at = now()");
    dispatch::Record record;
    record.owner = bed.stranger;
    for (const auto& target : chunk->left) record.results.push_back(result_of(target, What::again));
    for (auto& result : record.results) result.unsure = true;
    record.released.push_back(chunk->id);
    record_behind(bed, other, record);
    CHECK(bed.value("SELECT count(*) FROM outgoing WHERE state = 'Due'") == "2");
    bed.get(bed.campaigns.settle_ended());
    CHECK(bed.messages(campaign, "Failed") == 2);
  }

  TEST_CASE(
      "asked again for messages whose making was not answered, it waits: who opts out meanwhile is not left out too") {
    Bed bed;
    const auto campaign = bed.add_campaign({.recipients = 2});
    bed.take();
    auto other = making(bed, campaign);
    bed.value(
        "INSERT INTO suppression (organization_id, contact_id, opted_out) SELECT organization_id, contact_id, true "
        "FROM target");
    bool over = false;
    std::vector<dispatch::Intent> intents;
    bed.begin(
        [](Bed& b, Uuid id, std::vector<dispatch::Intent>& out) -> awaitable<void> {
          std::vector<dispatch::NewMessage> messages;
          for (const std::int32_t ordinal : {1, 2})
            messages.push_back({ordinal, model::MessageType::Text, R"({"text":"hi"})"});
          out = co_await b.campaign_store.intend({b.organization, "1"}, id, messages, true);
        }(bed, campaign, intents),
        over);
    bed.until([&] { return over || bed.is_blocked(); });
    other.commit();
    bed.until([&] { return over; });
    CHECK(intents.empty());
    CHECK(bed.messages(campaign, "Queued") == 2);
    CHECK(bed.value("SELECT count(*) FROM target WHERE skipped IS NOT NULL") == "0");
    CHECK(bed.figure(campaign, "Skipped") == 0);
  }

  TEST_CASE("a chunk is settled after its owner's last messages, and no more are made of it") {
    Bed bed;
    const auto campaign = bed.add_campaign({.recipients = 4});
    bed.take();
    const auto chunk = bed.get(bed.campaign_store.take({bed.organization, "1"}, campaign, {}));
    auto other = making(bed, campaign);
    bed.value("UPDATE campaign SET status = 'Cancelled'; UPDATE sender SET lease_until = now() - interval '1 s'");
    bed.get(bed.store.keep_house(model::new_uuid(), 100));
    other.commit();
    bed.get(bed.store.keep_house(model::new_uuid(), 100));
    CHECK(bed.value("SELECT count(*) FROM outgoing WHERE state = 'InDoubt'") == "2");
    CHECK(bed.value("SELECT owner IS NULL FROM chunk") == "t");
    CHECK(bed.intend(*chunk, 4).front().fate == dispatch::IntentOutcome::NotMine);
  }

  TEST_CASE("a commit that stalls longer than it is waited for: what was claimed by it is sent") {
    support::FaultProxy proxy(pg_tests::shared_server().port());
    Bed bed(quick(), 30s, proxy.port());
    bed.start();
    bed.add({.recipient = "+4951"});
    bed.until_empty();  // the number is the dispatcher's
    Standstill standstill(bed, proxy);
    const auto message = bed.add({.recipient = "+4952"});
    bed.until([&] { return standstill.holds("outgoing"); });
    standstill.cut(bed);
    proxy.cut(false);
    bed.until([&] { return bed.is_blocked(); });
    standstill.end();
    bed.until_empty();
    CHECK(bed.status(message) == "Sent");
    CHECK(bed.channel.texts_to("4952").size() == 1);
  }

  TEST_CASE("a commit that stalls longer than it is waited for: none of its campaign's messages is forgotten") {
    support::FaultProxy proxy(pg_tests::shared_server().port());
    Bed bed(quick(), 30s, proxy.port());
    bed.start();
    bed.add({.recipient = "+4951"});
    bed.until_empty();
    const auto campaign = bed.add_campaign({.recipients = 100, .rate = "1"});
    bed.until([&] { return bed.messages(campaign, "Sent") == 1; });
    Standstill standstill(bed, proxy);
    bed.until([&] { return standstill.holds("conversation"); });
    standstill.cut(bed);
    bed.value("UPDATE campaign SET status = 'Cancelled', finished_at = now()");
    proxy.cut(false);
    const auto released = [&] { return bed.value("SELECT owner IS NULL FROM chunk") == "t"; };
    bed.until([&] { return bed.is_blocked("FOR UPDATE") || released(); });
    standstill.end();
    bed.until([&] { return released() && bed.messages(campaign, "Queued") == 1; });
    bed.get(bed.campaigns.settle_ended());
    CHECK(bed.messages(campaign, "Failed") == 1);
    CHECK(bed.messages(campaign, "Queued") == 0);
  }
}
