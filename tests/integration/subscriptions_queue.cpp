// What is posted to webhooks, behind a floor: what a snapshot keeps of what was posted costs nothing.
#include "common/events/queue_floor.hpp"
#include "conversations/events/subscriptions/sql.hpp"
#include "tests/integration/conversations_bed.hpp"
#include "tests/integration/queue_bed.hpp"

using namespace parley;
using conversations_tests::Database;
using conversations_tests::quoted;
using model::Uuid;
using queue_tests::many;
using queue_tests::within;

namespace {

namespace sql = conversations::subscriptions::sql;

// A webhook, and the floor of one who posts to it.
struct World {
  World() : loop(database.settings()) {
    loop.wait_until_available();
    database.execute("INSERT INTO webhook (organization_id, id, url, description, events, active, secret) VALUES (" +
                     quoted(organization) + ", " + quoted(webhook) + ", 'http://localhost', '', '{}', true, 'secret')");
  }
  // Due since then.
  std::string add(std::int64_t count, const std::string& due = "clock_timestamp()") const {
    return "INSERT INTO webhook_delivery (organization_id, webhook_id, id, notice_id, due_at) SELECT " +
           quoted(organization) + ", " + quoted(webhook) + ", gen_random_uuid(), gen_random_uuid(), " + due +
           " FROM generate_series(1, " + std::to_string(count) + ")";
  }
  // So many deliveries are made, taken and done.
  void pass(std::int64_t count) {
    queue_tests::Session session(database.url());
    constexpr std::int64_t kBatch = 1'000;
    for (std::int64_t i = 0; i < count; i += kBatch) {
      const auto rows = session.execute("WITH w AS (" + add(kBatch) + " RETURNING ctid) SELECT array_agg(ctid) FROM w");
      const auto taken = session.execute(
          "WITH w AS (UPDATE webhook_delivery SET due_at = now() + interval '1 minute' WHERE ctid = ANY ('" + rows +
          "'::tid[]) RETURNING ctid) SELECT array_agg(ctid) FROM w");
      session.execute("UPDATE webhook_delivery SET state = 'Delivered', due_at = NULL WHERE ctid = ANY ('" + taken +
                      "'::tid[])");
    }
    const auto now = database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8");
    loop.until([&] {
      look();
      return floor.value() > now;
    });
  }
  void look() {
    loop.run([](pg::Pool& pool, events::QueueFloor& moved) -> boost::asio::awaitable<void> {
      pg::Batch batch(sql::first, moved.value(), moved.world());
      moved.ask(batch);
      const auto results = co_await pool.read(std::move(batch));
      moved.learn(results.one<events::QueueState>(1), results.one<std::optional<std::int64_t>>(0));
    }(loop.pool, floor));
  }

  Database database;
  pg_tests::Loop loop;
  events::QueueFloor floor{"webhook_delivery", std::chrono::minutes(10), events::QueueFloor::By::time};
  const Uuid organization = model::new_uuid(), webhook = model::new_uuid();
};

struct Costs {
  double first = 0, claim = 0;
};

Costs costs(const World& world) {
  const auto from = std::to_string(world.floor.value()) + ", '" + world.floor.world() + "'";
  queue_tests::Session session(world.database.url());
  session.execute("BEGIN");
  session.execute(world.add(100, "now()"));
  Costs out;
  out.first = session.cost(sql::first, from);
  out.claim = session.cost(sql::claim, "'{}', '{}', '{}', 60, 4, 16, 64, " + from);
  session.execute("ROLLBACK");
  return out;
}

// Many webhooks of some organizations, and how many of so many free places a claim gives each of them.
struct Crowd {
  void add(int organization, int webhooks, int each, const std::string& due) const {
    database.execute("INSERT INTO webhook (organization_id, id, url, description, events, active, secret) SELECT " +
                     id(organization) + ", gen_random_uuid(), 'http://localhost', '', '{}', true, 'secret' FROM " +
                     "generate_series(1, " + std::to_string(webhooks) + ")");
    database.execute(
        "INSERT INTO webhook_delivery (organization_id, webhook_id, id, notice_id, due_at) SELECT "
        "organization_id, id, gen_random_uuid(), gen_random_uuid(), " +
        due + " FROM webhook CROSS JOIN generate_series(1, " + std::to_string(each) +
        ") WHERE organization_id = " + id(organization));
  }
  std::string claimed(const std::string& holders, const std::string& held, int reserved, int most) const {
    return database.execute(
        "SELECT string_agg(n::text, ' ' ORDER BY organization_id) FROM (SELECT organization_id, count(*) AS n FROM "
        "deliveries_shared('epoch', '{}', ARRAY[" +
        holders + "]::uuid[], '{" + held + "}', 4, " + std::to_string(reserved) + ", " + std::to_string(most) +
        ") AS f (place) JOIN webhook_delivery d ON d.ctid = f.place GROUP BY organization_id) c");
  }
  static std::string id(int organization) { return "lpad('" + std::to_string(organization) + "', 32, '0')::uuid"; }

  Database database;
};

}  // namespace

TEST_SUITE("integration: subscriptions, queued") {
  TEST_CASE("a snapshot that stays open makes no step longer") {
    World world;
    queue_tests::Session snapshot(world.database.url());
    snapshot.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT FROM webhook_delivery");
    world.pass(1'000);
    const auto before = costs(world);
    world.pass(many());
    const auto after = costs(world);
    MESSAGE(many() << " deliveries: pages of the floor's row " << before.first << " then " << after.first
                   << ", of taking some " << before.claim << " then " << after.claim);
    CHECK(within(after.first, before.first));
    CHECK(within(after.claim, before.claim));
  }

  TEST_CASE("organizations take turns for places, whoever has how much to deliver") {
    const Crowd crowd;
    int each = 5;
    SUBCASE("when all that is due is looked at") {}
    SUBCASE("when that is too much") { each = 100; }
    crowd.add(1, 20, each, "now() - interval '1 hour'");
    CHECK(crowd.claimed("", "", 16, 64) == "32");             // who is alone gets half
    CHECK(crowd.claimed(Crowd::id(1), "32", 16, 32) == "");   // and no more
    CHECK(crowd.claimed(Crowd::id(1), "20", 16, 32) == "6");  // of what is free
    CHECK(crowd.claimed(Crowd::id(9), "48", 16, 16) == "1");  // of what is reserved
    crowd.add(2, 1, 1, "now()");
    crowd.add(3, 10, 2, "now()");
    CHECK(crowd.claimed("", "", 16, 64) == "22 1 20");
    CHECK(crowd.claimed("", "", 0, 9) == "3 1 3");
    CHECK(crowd.claimed(Crowd::id(1), "32", 16, 32) == "1 15");
    CHECK(crowd.claimed(Crowd::id(1) + ", " + Crowd::id(3), "32, 15", 16, 17) == "1");
  }
}
