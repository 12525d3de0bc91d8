// Queues behind a floor: what a snapshot keeps of what is gone costs nothing, and the floor never passes what is to
// come.
#include "tests/integration/events_bed.hpp"
#include "tests/integration/queue_bed.hpp"

using namespace parley;
using namespace parley::events_tests;
using namespace parley::queue_tests;

namespace {

const auto append_many = [](std::int64_t count) {
  return "INSERT INTO outbox (changes) SELECT '[{\"type\":\"number\",\"n\":1}]' FROM generate_series(1, " +
         std::to_string(count) + ")";
};

// A service that tells, whose events nobody needs to have had.
struct Teller {
  explicit Teller(const pg::Settings& database) : loop(database), feed(loop.context(), loop.pool, settings(), quiet()) {
    loop.wait_until_available();
    start_beside(loop, feed.run(), background);
  }
  ~Teller() {
    feed.stop();
    loop.until([this] { return background == 0; });
  }
  static events::FeedSettings settings() {
    auto out = quick_feed({});
    out.retention = 0s;
    return out;
  }
  // So many events later all have positions, the oldest are pruned, and the floor is close behind the last.
  void pass(const Database& database, std::int64_t count) {
    constexpr std::int64_t kBatch = 1'000;
    for (std::int64_t i = 0; i < count; i += kBatch) {
      database.execute(append_many(kBatch));
      loop.until([&, at = i] { return feed.stats().head >= first_ + at + kBatch; });
    }
    // As single events would have it.
    database.execute("DO $$ BEGIN FOR i IN 1.." + std::to_string(count / 4) +
                     " LOOP UPDATE feed SET head = head WHERE ctid >= feed_page(); END LOOP; END $$");
    first_ += count;
    loop.until([&] { return feed.stats().pruned == first_ && feed.floor().value() > first_ - 300; });
  }

  Loop loop;
  events::Feed feed;

 private:
  std::int64_t first_ = 0;
  int background = 0;
};

struct Costs {
  double look = 0, sequence = 0, prune = 0, backlog = 0;
};

Costs costs(const Database& database, const events::QueueFloor& floor) {
  const auto from = std::to_string(floor.value()) + ", '" + floor.world() + "'";
  Session session(database.url());
  session.execute("BEGIN; SELECT head FROM feed_now()");  // a session that has looked before
  session.execute(append_many(100));
  Costs out;
  out.look = session.cost(events::outbox::look, from);
  out.backlog = session.cost(events::outbox::backlog, from);
  out.sequence = session.cost(events::outbox::sequence, from + ", 100");
  out.prune = session.cost(events::outbox::prune, "0, 0, 100");
  session.execute("ROLLBACK");
  return out;
}

}  // namespace

TEST_SUITE("integration: events queue") {
  TEST_CASE("a snapshot that stays open makes no step longer") {
    const Database database;
    Teller teller(database.settings());
    Session snapshot(database.url());
    snapshot.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT FROM outbox");
    teller.pass(database, 1'000);
    const auto before = costs(database, teller.feed.floor());
    teller.pass(database, many());
    const auto after = costs(database, teller.feed.floor());
    MESSAGE(many() << " events: pages of a look " << before.look << " then " << after.look << ", of ordering 100 "
                   << before.sequence << " then " << after.sequence << ", of pruning " << before.prune << " then "
                   << after.prune << ", of counting " << before.backlog << " then " << after.backlog);
    CHECK(within(after.look, before.look));
    CHECK(within(after.sequence, before.sequence));
    CHECK(within(after.prune, before.prune));
    CHECK(within(after.backlog, before.backlog));
  }

  TEST_CASE("an id that was given and cannot be seen yet is waited for") {
    const Database database;
    Teller teller(database.settings());
    // Between its id and its first write, when it has no transaction id: the server knows of nobody who writes.
    database.execute(
        "CREATE FUNCTION stand() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); "
        "RETURN NEW; END $$");
    database.execute(
        "CREATE TRIGGER stand BEFORE INSERT ON outbox FOR EACH ROW WHEN (NEW.changes = "
        "'[{\"type\":\"number\",\"n\":7}]') "
        "EXECUTE FUNCTION stand()");
    Session gate(database.url()), late(database.url());
    database.execute(append_many(1));  // the first id of 32 is written to the log, by a transaction
    gate.execute("SELECT pg_advisory_lock(1)");
    late.send("INSERT INTO outbox (changes) VALUES ('[{\"type\":\"number\",\"n\":7}]')");
    teller.loop.until([&] { return database.number("SELECT count(*) FROM pg_locks WHERE NOT granted") == 1; });
    const auto id = database.number("SELECT last_value FROM outbox_id_seq");
    REQUIRE(database.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND backend_xid IS "
                            "NOT NULL AND datname = current_database()") == 0);

    // Everything that comes later is heard of, and the floor stays.
    for (int i = 1; i <= 8; ++i) {
      database.execute(append_many(1'000));
      teller.loop.until([&] { return teller.feed.stats().head == 1 + i * 1'000; });
    }
    teller.loop.run(pause_for(200ms));  // some looks
    CHECK(teller.feed.floor().value() < id);

    gate.execute("SELECT pg_advisory_unlock(1)");
    teller.loop.until([&] { return teller.feed.stats().head == 8'002; });
    database.execute(append_many(300));
    teller.loop.until([&] { return teller.feed.floor().value() > 8'002; });
    late.finish();
  }

  TEST_CASE("ids that come again in a table that was made anew, or on a server that lost them, are found") {
    support::PostgresServer server;
    support::execute(server.url(), read_text("common/events/outbox.sql"));
    support::execute(server.url(), read_text("common/events/functions.sql"));
    Loop loop(server);
    loop.wait_until_available();
    events::QueueFloor floor("outbox");
    const auto look = [&]() -> awaitable<void> {
      for (int i = 0; i < 5; ++i) {
        pg::Batch batch(events::outbox::look, floor.value(), floor.world());
        floor.ask(batch);
        const auto results = co_await loop.pool.read(std::move(batch));
        floor.learn(results.one<events::QueueState>(1), std::nullopt);
      }
    };
    const auto fresh = [&] {
      return support::execute(server.url(), "SELECT count(*) FROM outbox_new(queue_floor('outbox', " +
                                                std::to_string(floor.value()) + ", '" + floor.world() + "'), 10)");
    };
    support::execute(server.url(), append_many(1'000) + "; DELETE FROM outbox");
    loop.run(look());
    REQUIRE(floor.value() == 1'000);
    support::execute(server.url(), append_many(1));
    CHECK(fresh() == "1");

    support::execute(server.url(), "TRUNCATE outbox RESTART IDENTITY; " + append_many(2));
    CHECK(fresh() == "2");  // though nobody has looked
    loop.run(look());
    CHECK(floor.value() == 0);

    support::execute(server.url(), append_many(1'000) + "; DELETE FROM outbox");
    loop.run(look());
    REQUIRE(floor.value() == 1'002);
    server.kill();
    server.start();
    support::execute(server.url(), "ALTER SEQUENCE outbox_id_seq RESTART 5; " + append_many(3));
    CHECK(fresh() == "3");
  }

  TEST_CASE("rows that were put in by hand are found when the queue is looked at from its front") {
    const Database database;
    Loop loop(database.settings());
    loop.wait_until_available();
    events::QueueFloor floor("outbox", 0s);
    database.execute(append_many(1'000) + "; DELETE FROM outbox");
    for (int i = 0; i < 10; ++i)
      loop.run([](pg::Pool& pool, events::QueueFloor& moved) -> awaitable<void> {
        pg::Batch batch(events::outbox::look, moved.value(), moved.world());
        moved.ask(batch);
        const auto results = co_await pool.read(std::move(batch));
        moved.learn(results.one<events::QueueState>(1), std::nullopt);
      }(loop.pool, floor));
    CHECK(floor.value() == 0);
  }
}
