// The inbox behind a floor: what a snapshot keeps of what was applied costs nothing.
#include "conversations/inbox/webhooks/sql.hpp"
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

// Elements that were set aside, without anything in them either.
std::string park_many(const std::string& due, std::int64_t count) {
  return "INSERT INTO parked_element (field, kind, element, error, received_at, due_at) SELECT 'messages', 'message', "
         "convert_to('{\"object\":\"whatsapp_business_account\",\"entry\":[]}', 'UTF8'), '', now(), " +
         due + " FROM generate_series(1, " + std::to_string(count) + ") AS n";
}

// So many webhooks later all are applied, and the floor is close behind the last.
void pass(const World& world, Replica& replica, std::int64_t count) {
  constexpr std::int64_t kBatch = 2'000;
  for (std::int64_t i = 0; i < count; i += kBatch) {
    world.text(receive_many(kBatch));
    const auto last = world.number("SELECT last_value FROM inbox_id_seq");
    replica.until([&] {
      return replica.worker().floor().value() > last - 256 && world.number("SELECT count(*) FROM inbox") == 0;
    });
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
  out.look = session.cost(sql::look, from + ", 'epoch', '{message}', '{message, contacts}'");
  out.take = session.cost(sql::take, from + ", 256, 1000000");
  out.backlog = session.cost(sql::backlog, from + ", 'epoch'");
  const auto ids = session.execute("SELECT array_agg(id) FROM inbox WHERE id > " + std::to_string(floor.value()));
  out.finish = session.cost(sql::finish, "'" + ids + "'");
  session.execute("ROLLBACK");
  return out;
}

// What is done with what others are asked about, as a connection does it that planned it when there was nothing.
class AskingSteps {
 public:
  explicit AskingSteps(const World& world) : session_(world.database.url()) {
    session_.execute("VACUUM ANALYZE inbox, parked_element");
    for (const auto& [name, statement] :
         std::map<std::string, const pg::Statement*>{{"take", &sql::take},
                                                     {"hold", &sql::hold},
                                                     {"take_again", &sql::take_again},
                                                     {"finish", &sql::finish},
                                                     {"take_parked", &sql::take_parked},
                                                     {"take_parked_again", &sql::take_parked_again},
                                                     {"park_again", &sql::park_again},
                                                     {"finish_parked", &sql::finish_parked}})
      session_.prepare(name, *statement);
    costs(events::QueueFloor("inbox"), 0);
  }

  // In pages.
  std::map<std::string, double> costs(const events::QueueFloor& floor, int rows = 64) {
    const auto from = std::to_string(floor.value()) + ", '" + floor.world() + "'";
    session_.execute("BEGIN");
    session_.execute(receive_many(rows));
    session_.execute(park_many("now()", rows));
    const auto inbox =
        "'" +
        session_.execute(
            "SELECT coalesce(array_agg(id), '{}') FROM (SELECT id FROM inbox ORDER BY id DESC LIMIT 64) i") +
        "'";
    const auto parked = session_.execute(
        "SELECT coalesce(array_agg(id), '{}') FROM (SELECT id FROM parked_element ORDER BY id DESC LIMIT 64) p");
    const std::vector<std::pair<std::string, std::string>> arguments{
        {"take", from + ", 64, 1000000"},
        {"take_parked", "'{message, answer}', now() - interval '5 minutes', 64"},
        {"take_again", inbox},
        {"take_parked_again", "'" + parked + "'"},
        {"finish", inbox},
        {"finish_parked", "'" + parked + "'"},
        {"park_again", "('" + parked + "'::bigint[])[1], NULL, '', 1, 'answer', 2"},
        {"hold", inbox + ", '" + parked + "', 15"}};
    std::map<std::string, double> out;
    for (const auto& [name, given] : arguments) out[name] = session_.cost(name, given);
    session_.execute("ROLLBACK");
    return out;
  }

 private:
  Session session_;
};

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

  TEST_CASE("nor what is done with what others are asked about") {
    World world;
    world.connect(kNumber);
    AskingSteps steps(world);
    Replica replica(world);
    Session snapshot(world.database.url());
    snapshot.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT FROM inbox");
    std::int64_t written = 0;
    const auto pass = [&](std::int64_t count) {
      constexpr std::int64_t kBatch = 1'000;
      for (const auto end = written + count; written < end; written += kBatch) {
        // Long due, each a little later than the one before: the floor of these follows.
        world.text(
            park_many("now() - interval '1 day' + interval '1 ms' * (n + " + std::to_string(written) + ")", kBatch));
        // By others each time: who writes very much makes the look for what they answer long.
        world.receive_texts(std::to_string(4915100000001 + written), written, kBatch);
        const auto last = world.number("SELECT last_value FROM inbox_id_seq");
        replica.until([&] {
          return replica.worker().floor().value() > last - 256 &&
                 world.number("SELECT (SELECT count(*) FROM inbox) + (SELECT count(*) FROM parked_element)") == 0;
        });
      }
    };
    replica.start();
    pass(1'000);
    const auto before = steps.costs(replica.worker().floor());
    pass(many() / 4);
    CHECK_EQ(world.number("SELECT count(*) FROM message"), written);
    for (const auto& [step, after] : steps.costs(replica.worker().floor())) {
      MESSAGE(written << " messages: pages of " << step << " " << before.at(step) << " then " << after);
      CHECK(within(after, before.at(step)));
    }
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
    const auto parked = [&] { return world.number("SELECT count(*) FROM parked_element"); };
    for (const char* due : {"now()", "now() - interval '4 minutes'", "now() + interval '50 milliseconds'"}) {
      world.text(park_many(due, 1));
      replica.until([&] { return parked() == 0; });
    }
  }
}
