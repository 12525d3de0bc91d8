// The inbox behind a floor: what a snapshot keeps of what was applied costs nothing.
#include "conversations/webhooks/sql.hpp"
#include "tests/integration/queue_bed.hpp"
#include "tests/integration/webhooks_bed.hpp"

using namespace parley;
using namespace parley::webhooks_tests;
using namespace parley::queue_tests;

namespace {

namespace sql = conversations::webhooks::sql;

// Bodies of some length without anything in them.
std::string receive_many(std::int64_t count) {
  return "INSERT INTO inbox (body) SELECT convert_to('{\"object\":\"whatsapp_business_account\",\"entry\":[]}' || "
         "repeat(' ', 900), 'UTF8') FROM generate_series(1, " +
         std::to_string(count) + ")";
}

// So many webhooks later all are applied, and the floor is close behind the last.
void pass(const World& world, Replica& replica, std::int64_t count) {
  constexpr std::int64_t kBatch = 2'000;
  for (std::int64_t i = 0; i < count; i += kBatch) {
    world.text(receive_many(kBatch));
    const auto last = world.number("SELECT last_value FROM inbox_id_seq");
    replica.until([&] { return replica.worker().floor().value() > last - 256; });
  }
}

struct Costs {
  double look = 0, take = 0, finish = 0, backlog = 0;
};

Costs costs(const World& world, const events::QueueFloor& floor) {
  const auto from = std::to_string(floor.value()) + ", '" + floor.world() + "'";
  Session session(world.database.url());
  session.execute("BEGIN");
  session.execute(receive_many(256));
  Costs out;
  out.look = session.cost(sql::look, from + ", 'epoch'");
  out.take = session.cost(sql::take, from + ", 256, 1000000");
  out.backlog = session.cost(sql::backlog, from);
  const auto ids = session.execute("SELECT array_agg(id) FROM inbox WHERE id > " + std::to_string(floor.value()));
  out.finish = session.cost(sql::finish, "'" + ids + "'");
  session.execute("ROLLBACK");
  return out;
}

}  // namespace

TEST_SUITE("integration: webhooks, queued") {
  TEST_CASE("a snapshot that stays open makes no step longer") {
    World world;
    Replica replica(world);
    replica.start();
    Session snapshot(world.database.url());
    snapshot.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT FROM inbox");
    pass(world, replica, 2'000);
    const auto before = costs(world, replica.worker().floor());
    pass(world, replica, many());
    CHECK_EQ(world.number("SELECT count(*) FROM inbox"), 0);
    const auto after = costs(world, replica.worker().floor());
    MESSAGE(many() << " webhooks: pages of a look " << before.look << " then " << after.look << ", of taking 256 "
                   << before.take << " then " << after.take << ", of deleting them " << before.finish << " then "
                   << after.finish << ", of counting " << before.backlog << " then " << after.backlog);
    CHECK(within(after.look, before.look));
    CHECK(within(after.take, before.take));
    CHECK(within(after.finish, before.finish));
    CHECK(within(after.backlog, before.backlog));
  }

  TEST_CASE("a webhook whose commit takes long is applied when others have long been") {
    World world;
    Replica replica(world);
    replica.start();
    Session late(world.database.url());
    late.execute("BEGIN");
    late.execute(receive_many(1));
    const auto id = world.number("SELECT last_value FROM inbox_id_seq");
    for (int i = 0; i < 4; ++i) {
      world.text(receive_many(1'000));
      replica.until([&] { return world.number("SELECT count(*) FROM inbox") == 0; });
    }
    CHECK_LT(replica.worker().floor().value(), id);
    late.execute("COMMIT");
    replica.until([&] { return world.number("SELECT count(*) FROM inbox") == 0; });
    replica.until([&] { return replica.worker().floor().value() > id; });
  }

  TEST_CASE("what is parked is tried again in time, whatever was due before") {
    World world;
    Replica replica(world);
    replica.start();
    const auto park = [&](const std::string& due) {
      world.text(
          "INSERT INTO parked_element (field, kind, element, error, received_at, due_at) VALUES ('messages', "
          "'message', "
          "convert_to('{\"object\":\"whatsapp_business_account\",\"entry\":[]}', 'UTF8'), '', now(), " +
          due + ")");
    };
    const auto parked = [&] { return world.number("SELECT count(*) FROM parked_element"); };
    for (const char* due : {"now()", "now() - interval '4 minutes'", "now() + interval '50 milliseconds'"}) {
      park(due);
      replica.until([&] { return parked() == 0; });
    }
  }
}
