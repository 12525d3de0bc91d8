// Who has much in the inbox, or set aside, is not waited for by who has little.
#include "common/pg/batch.hpp"
#include "conversations/inbox/webhooks/sql.hpp"
#include "tests/integration/webhooks_bed.hpp"

using namespace parley;
using namespace parley::webhooks_tests;

namespace {

namespace sql = conversations::webhooks::sql;

constexpr auto kAda = "4915100000001", kBob = "4915100000002", kOther = "100200301";

// Two organizations, one of which has much. The other's bodies say of no business account that they are about it.
struct Bed {
  World world;
  Uuid noisy = world.connect(kNumber), quiet = world.connect(kOther);
  Replica replica{world};

  static std::string noisy_body(int i) { return body_of({text("m" + std::to_string(i), kAda, i, "Hello")}); }
  static std::string quiet_body(int i) {
    auto body = body_of({text("q" + std::to_string(i), kBob, i, "Hello")}, {}, kOther);
    const std::string account = "\"id\":\"7\",";
    return body.erase(body.find(account), account.size());
  }
  void receive(const std::vector<std::string>& bodies, std::optional<Uuid> url) {
    replica.run(write(pg::Batch(sql::receive, std::vector(bodies.size(), url), bodies)));
  }
  void park(const std::string& body) {
    replica.run(write(pg::Batch(sql::park, std::nullopt, kNumber, "messages", "message", body, "",
                                model::Timestamp::now(), 0, conversations::webhooks::Awaited::message)));
  }
  awaitable<void> write(pg::Batch batch) { co_await replica.database().write(std::move(batch)); }
  std::int64_t messages(const Uuid& organization) const {
    return world.number("SELECT count(*) FROM message WHERE organization_id = '" + organization.text() + "'");
  }
};

}  // namespace

TEST_SUITE("integration: webhooks, by turns") {
  TEST_CASE("of bodies that do not all fit each organization has a part, its first ones") {
    Bed bed;
    std::vector<std::string> bodies;
    for (int i = 0; i < 1'000; ++i) bodies.push_back(bed.noisy_body(i));
    bed.receive(bodies, std::nullopt);
    bed.receive({bed.quiet_body(0), bed.quiet_body(1), bed.quiet_body(2)}, bed.quiet);
    CHECK_EQ(bed.replica.work(), nullptr);
    CHECK_EQ(bed.messages(bed.quiet), 3);
    CHECK_EQ(bed.messages(bed.noisy), 253);  // what the other one left of its part, too
    CHECK_EQ(bed.world.number("SELECT min(id) FROM inbox"), 254);
    CHECK_EQ(bed.world.number("SELECT count(*) FROM inbox"), 747);
    bed.replica.drain();
    CHECK_EQ(bed.messages(bed.noisy), 1'000);
  }

  TEST_CASE("who signs for itself has one part, whichever accounts it names") {
    Bed bed;
    std::vector<std::string> bodies;
    for (int i = 0; i < 300; ++i) {
      auto body = bed.noisy_body(i);
      const std::string account = "\"id\":\"7\"";
      body.replace(body.find(account), account.size(), "\"id\":\"" + std::to_string(1'000 + i) + "\"");
      bodies.push_back(body);
    }
    bed.receive(bodies, bed.noisy);
    CHECK_EQ(bed.world.number("SELECT count(*) FROM webhook_owner WHERE owner <> ''"), 1);
    bed.receive({bed.quiet_body(0), bed.quiet_body(1)}, bed.quiet);
    CHECK_EQ(bed.replica.work(), nullptr);
    CHECK_EQ(bed.messages(bed.quiet), 2);
  }

  TEST_CASE("whose turn a body takes: the account's of its first entry, or the organization's whose URL it came to") {
    Bed bed;
    CHECK_EQ(bed.world.number(R"sql(
      SELECT count(*)
      FROM (VALUES ('{"entry":[{"id":"123","x":[{"id":"4"}]}]}', '123'), ('{"entry" : [ { "id" : "77" ', '77'),
                   ('{"object":"\"entry\"","entry":[{"id":"5"}]}', '5'), (repeat('é', 50) || '{"entry":[{"id":"6"}]}', '6'),
                   ('{"entry":[{"id":"' || repeat('1', 100) || '"}]}', repeat('1', 32)), ('{"entry":[]}', ''), ('', ''),
                   ('{"entry":[{"id":"abc"}]}', ''), (repeat('x', 250) || '{"entry":[{"id":"5"}]}', '')) AS given (body, owner)
      WHERE webhook_owner_of(NULL, convert_to(body, 'UTF8')) <> owner
        OR webhook_owner_of('00000000-0000-7000-8000-000000000001', convert_to(body, 'UTF8'))
           <> '00000000-0000-7000-8000-000000000001')sql"),
             0);
  }

  TEST_CASE("long bodies of one leave room for another's short one") {
    Bed bed;
    const std::string room(600'000, ' ');
    bed.receive({bed.noisy_body(0) + room, bed.noisy_body(1) + room, bed.noisy_body(2) + room}, std::nullopt);
    bed.receive({bed.quiet_body(0)}, bed.quiet);
    CHECK_EQ(bed.replica.work(), nullptr);
    CHECK_EQ(bed.messages(bed.quiet), 1);
    CHECK_EQ(bed.messages(bed.noisy), 2);
    bed.replica.drain();
    CHECK_EQ(bed.messages(bed.noisy), 3);
  }

  TEST_CASE("what the version before wrote is applied, too") {
    Bed bed;
    bed.world.receive_texts(kAda, 0, 600);
    bed.receive({bed.quiet_body(0)}, bed.quiet);
    CHECK_EQ(bed.replica.work(), nullptr);
    CHECK_EQ(bed.messages(bed.quiet), 1);
    bed.replica.drain();
    CHECK_EQ(bed.messages(bed.noisy), 600);
  }

  TEST_CASE("of elements that were set aside, likewise") {
    Bed bed;
    bed.receive({bed.noisy_body(0)}, std::nullopt);
    for (int i = 0; i < 100; ++i) bed.park(bed.noisy_body(i));
    bed.park(bed.quiet_body(0));
    CHECK_EQ(bed.replica.work(), nullptr);
    CHECK_EQ(bed.messages(bed.quiet), 1);
    CHECK_EQ(bed.messages(bed.noisy), 32);
    bed.replica.drain();
    CHECK_EQ(bed.messages(bed.noisy), 100);
  }
}
