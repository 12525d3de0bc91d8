// Reads that a replica may answer: real servers with streaming replication, stopped, held up, promoted, set back.
#include <filesystem>
#include <memory>
#include <string>

#include "common/pg/replica.hpp"
#include "tests/integration/pg_loop.hpp"
#include "tests/support/databases.hpp"
#include "tests/support/sql.hpp"

namespace parley::pg_tests {
namespace {

using pg::Batch;
using pg::Lane;
using pg::Statement;
using support::PostgresServer;
using support::StandbyOf;

const Statement set_number("replica.set_number", "UPDATE number SET n = $2 WHERE id = $1", Lane::write,
                           {pg::oid::int4, pg::oid::int8});
const Statement get_number("replica.get_number", "SELECT n FROM number WHERE id = $1", Lane::read, {pg::oid::int4});
const Statement sum_numbers("replica.sum_numbers", "SELECT coalesce(sum(n), 0)::int8 AS n FROM number", Lane::slow, {});
const Statement whose("replica.whose", "SELECT pg_is_in_recovery()", Lane::read, {});
const Statement nap_and_count("replica.nap_and_count",
                              "SELECT (SELECT count(*) FROM number)::int8 AS n FROM (SELECT pg_sleep($1)) AS nap "
                              "WHERE nap IS NOT NULL",
                              Lane::slow, {pg::oid::float8});
const Statement divide("replica.divide", "SELECT 1 / $1 AS n", Lane::read, {pg::oid::int8});

void make_table(const PostgresServer& server) {
  server.execute("CREATE TABLE number (id int PRIMARY KEY, n int8 NOT NULL)");
  server.execute("INSERT INTO number SELECT g, 0 FROM generate_series(0, 9) g");
}

struct Pair {
  explicit Pair(const std::vector<std::string>& standby_settings = {}) {
    make_table(primary);
    standby = std::make_unique<PostgresServer>(StandbyOf{primary}, standby_settings);
  }
  pg::Settings settings() const { return settings_of(primary, *standby); }
  static pg::Settings settings_of(const PostgresServer& primary, const PostgresServer& standby) {
    pg::Settings out = settings_for(primary);
    out.replica_url = standby.url();
    return out;
  }

  PostgresServer primary;
  std::unique_ptr<PostgresServer> standby;
};

// For the tests that leave them as they found them.
Pair& ordinary() {
  static Pair pair;
  pair.primary.execute("UPDATE number SET n = 0");
  return pair;
}

awaitable<void> write(pg::Pool& pool, int id, std::int64_t number) {
  co_await pool.write(Batch(set_number, id, number));
}

awaitable<std::int64_t> number(pg::Pool& pool, int id) {
  auto asked = pool.read_anywhere(Batch(get_number, id));
  const auto results = co_await std::move(asked);
  co_return results.one<std::int64_t>();
}

awaitable<bool> on_replica(pg::Pool& pool) {
  auto asked = pool.read_anywhere(Batch(whose));
  const auto results = co_await std::move(asked);
  co_return results.one<bool>();
}

// Reads until a replica answers one, which takes a look at it first.
void wait_for_replica(Loop& loop) {
  loop.wait_until_available();
  while (!loop.run(on_replica(loop.pool))) loop.run(pause_for(5ms));
}

// A while of reads, none of which a replica may answer.
void expect_none_on_replica(Loop& loop, int id, std::int64_t expected) {
  loop.wait_until_available();
  const auto before = loop.pool.replica_reads();
  for (int i = 0; i < 60; ++i) {
    CHECK(loop.run(number(loop.pool, id)) == expected);
    loop.run(pause_for(5ms));
  }
  CHECK(loop.pool.replica_reads().replica == before.replica);
}

awaitable<void> write_and_read(pg::Pool& writer, pg::Pool& reader, int id, int times) {
  for (std::int64_t i = 1; i <= times; ++i) {
    co_await write(writer, id, i);
    const auto read = co_await number(reader, id);
    CHECK(read == i);
  }
}

}  // namespace

TEST_CASE("what was written is read at once, by this process and by another, and the replica is read") {
  Pair& servers = ordinary();
  Loop loop(servers.settings());
  Loop other_process(servers.settings());
  wait_for_replica(loop);
  const auto before = loop.pool.replica_reads();
  for (int id = 0; id < 6; ++id) loop.launch(write_and_read(loop.pool, loop.pool, id, 150));
  loop.finish();
  const auto after = loop.pool.replica_reads();
  MESSAGE("replica ", after.replica, " behind ", after.behind, " away ", after.away);
  CHECK(after.replica - before.replica > 0);
  CHECK(after.replica + after.behind + after.away - before.replica - before.behind - before.away == 900);

  wait_for_replica(other_process);
  for (std::int64_t i = 1; i <= 50; ++i) {
    loop.run(write(loop.pool, 7, i));
    CHECK(other_process.run(number(other_process.pool, 7)) == i);
  }
  CHECK(loop.pool.stats(Lane::replica).connections == 4);
}

TEST_CASE("a batch that a replica answers has one snapshot, the slow lane's as well") {
  Pair& servers = ordinary();
  Loop loop(servers.settings());
  wait_for_replica(loop);
  loop.run(write(loop.pool, 1, 41));
  const auto before = loop.pool.replica_reads().replica;
  auto slow = [](pg::Pool& pool) -> awaitable<std::int64_t> {
    auto asked = pool.slow_anywhere(Batch(sum_numbers));
    const auto results = co_await std::move(asked);
    co_return results.one<std::int64_t>();
  };
  while (loop.pool.replica_reads().replica == before) {
    CHECK(loop.run(slow(loop.pool)) == 41);
    loop.run(pause_for(5ms));
  }
  auto twice = [](pg::Pool& pool) -> awaitable<void> {
    Batch batch;
    batch.add(sum_numbers).add(get_number, 1).add(sum_numbers);
    auto asked = pool.slow_anywhere(std::move(batch));
    const auto results = co_await std::move(asked);
    CHECK(results.one<std::int64_t>(0) == results.one<std::int64_t>(2));
  };
  loop.run(twice(loop.pool));
  auto error = [](pg::Pool& pool) -> awaitable<void> { co_await pool.read_anywhere(Batch(divide, 0)); };
  CHECK_THROWS_AS(loop.run(error(loop.pool)), pg::SqlError);
}

TEST_CASE("while a replica is behind the primary answers, and afterwards the replica again") {
  Pair& servers = ordinary();
  Loop loop(servers.settings());
  wait_for_replica(loop);
  servers.standby->execute("SELECT pg_wal_replay_pause()");
  loop.run(write(loop.pool, 1, 5));
  const auto before = loop.pool.replica_reads();
  for (int i = 0; i < 40; ++i) {
    CHECK(loop.run(number(loop.pool, 1)) == 5);
    loop.run(pause_for(5ms));
  }
  CHECK(loop.pool.replica_reads().behind > before.behind);
  CHECK(loop.pool.replica_reads().replica == before.replica);
  servers.standby->execute("SELECT pg_wal_replay_resume()");
  wait_for_replica(loop);
  CHECK(loop.run(number(loop.pool, 1)) == 5);
}

TEST_CASE("a replica that is killed, hangs or comes back costs nobody an answer") {
  Pair& servers = ordinary();
  Loop loop(servers.settings());
  wait_for_replica(loop);
  servers.standby->pause();
  std::int64_t written = 0;
  for (int i = 0; i < 20; ++i) {
    loop.run(write(loop.pool, 2, ++written));
    CHECK(loop.run(number(loop.pool, 2)) == written);
  }
  servers.standby->resume();
  wait_for_replica(loop);
  auto keep_on = [](pg::Pool& pool, std::int64_t expected, bool& stop) -> awaitable<void> {
    while (!stop) {
      const auto read = co_await number(pool, 2);
      CHECK(read == expected);
    }
  };
  bool stop = false;
  for (int i = 0; i < 8; ++i) loop.launch(keep_on(loop.pool, written, stop));
  loop.run_for(50ms);
  servers.standby->kill();
  loop.run_for(100ms);
  stop = true;
  loop.finish();
  CHECK(loop.pool.replica_reads().away > 0);
  servers.standby->start();
  wait_for_replica(loop);
}

TEST_CASE("what a replica cancels for the sake of replay is asked of the primary") {
  Pair servers({"max_standby_streaming_delay = 0", "hot_standby_feedback = off"});
  Loop loop(servers.settings());
  wait_for_replica(loop);
  auto nap = [](pg::Pool& pool, std::int64_t& counted) -> awaitable<void> {
    auto asked = pool.slow_anywhere(Batch(nap_and_count, 1.0));
    const auto results = co_await std::move(asked);
    counted = results.one<std::int64_t>();
  };
  auto connected = [](pg::Pool& pool) -> awaitable<void> { co_await pool.slow_anywhere(Batch(sum_numbers)); };
  for (const auto before = loop.pool.replica_reads().replica; loop.pool.replica_reads().replica == before;)
    loop.run(connected(loop.pool));
  std::int64_t counted = 0;
  loop.launch(nap(loop.pool, counted));
  loop.run_for(200ms);
  servers.primary.execute("ALTER TABLE number ADD COLUMN more int");  // its lock, replayed, ends the nap
  loop.finish();
  CHECK(counted == 10);
  CHECK(loop.pool.stats(Lane::replica).errors["40"] == 1);
}

TEST_CASE("a replica that was promoted is read no more") {
  Pair servers;
  Loop loop(servers.settings());
  wait_for_replica(loop);
  servers.standby->promote();
  servers.standby->execute("UPDATE number SET n = 666");
  expect_none_on_replica(loop, 3, 0);
  CHECK(loop.pool.stats(Lane::replica).last_failure != "");
}

TEST_CASE("a pooler before a replica is found out") {
  Pair& servers = ordinary();
  servers.primary.execute("CREATE DATABASE parley");
  support::Sql(servers.primary.url("postgres", "parley"))
      .rows("CREATE TABLE number AS SELECT g AS id, 0::int8 AS n FROM generate_series(0, 9) g");
  servers.primary.wait_for(*servers.standby);
  const support::PoolerServer pooler(*servers.standby, "postgres");
  auto settings = servers.settings();
  settings.url = servers.primary.url("postgres", "parley");
  settings.replica_url = pooler.url();
  Loop loop(settings);
  expect_none_on_replica(loop, 1, 0);
  CHECK(loop.pool.stats(Lane::replica).last_failure.find("pooler") != std::string::npos);
}

TEST_CASE("of several replicas those that are right are read") {
  Pair servers;
  PostgresServer elsewhere;  // another system with a standby of its own
  make_table(elsewhere);
  elsewhere.execute("UPDATE number SET n = 666");
  PostgresServer stranger(StandbyOf{elsewhere});
  {
    Loop loop(Pair::settings_of(servers.primary, stranger));
    expect_none_on_replica(loop, 1, 0);
    CHECK(loop.pool.stats(Lane::replica).last_failure.find("another system") != std::string::npos);
  }
  auto both = servers.settings();
  both.replica_url = "host=127.0.0.1,127.0.0.1 port=" + std::to_string(stranger.port()) + "," +
                     std::to_string(servers.standby->port()) + " user=postgres dbname=postgres";
  Loop loop(both);
  loop.wait_until_available();
  while (!loop.run(on_replica(loop.pool))) {
    CHECK(loop.run(number(loop.pool, 1)) == 0);
    loop.run(pause_for(5ms));
  }
}

TEST_CASE("after a failover, a replica that stayed with the old primary is not read, and one that follows is") {
  Pair servers;
  PostgresServer left_behind(StandbyOf{servers.primary});
  PostgresServer follower(StandbyOf{servers.primary});
  servers.standby->promote();
  // The old primary goes on, alone with the one that stays: what it gives that is further than the new one's.
  servers.primary.execute("CREATE TABLE more AS SELECT g FROM generate_series(1, 20000) g");
  servers.primary.execute("UPDATE number SET n = 666");
  servers.primary.wait_for(left_behind);
  {
    Loop loop(Pair::settings_of(*servers.standby, left_behind));
    expect_none_on_replica(loop, 1, 0);
    servers.standby->execute("CREATE TABLE more AS SELECT g FROM generate_series(1, 60000) g");  // and now further
    loop.run(write(loop.pool, 1, 1));
    expect_none_on_replica(loop, 1, 1);
  }
  // One that was not led astray.
  PostgresServer fresh(StandbyOf{*servers.standby});
  Loop loop(Pair::settings_of(*servers.standby, fresh));
  wait_for_replica(loop);
  CHECK(loop.run(number(loop.pool, 1)) == 1);
}

TEST_CASE("the pool goes with a failover, and its replica with the new primary") {
  Pair servers;
  PostgresServer follower(StandbyOf{servers.primary});
  pg::Settings settings;
  const auto port = [](const PostgresServer& server) { return std::to_string(server.port()); };
  const auto hosts = "host=127.0.0.1,127.0.0.1 user=postgres dbname=postgres port=";
  settings.url = hosts + port(servers.primary) + "," + port(*servers.standby) + " target_session_attrs=read-write";
  settings.replica_url = hosts + port(*servers.standby) + "," + port(follower);
  Loop loop(settings);
  wait_for_replica(loop);
  loop.run(write(loop.pool, 1, 1));
  servers.primary.wait_for(*servers.standby);
  servers.primary.wait_for(follower);
  servers.primary.kill();
  servers.standby->promote();
  follower.follow(*servers.standby);
  auto available = [&] { return loop.pool.available(); };
  loop.until([&] { return !available(); });
  loop.until(available);
  loop.run(write(loop.pool, 1, 2));
  CHECK(loop.run(number(loop.pool, 1)) == 2);
  wait_for_replica(loop);
  for (std::int64_t i = 3; i < 40; ++i) {
    loop.run(write(loop.pool, 1, i));
    CHECK(loop.run(number(loop.pool, 1)) == i);
  }
}

TEST_CASE("a replica that is ahead of a primary which was set back is not read") {
  Pair servers;
  servers.primary.stop();
  const auto data = servers.primary.data();
  const auto saved = data.parent_path() / "saved";
  REQUIRE(std::system(("cp -a " + data.string() + " " + saved.string()).c_str()) == 0);
  servers.primary.start();
  servers.primary.execute("UPDATE number SET n = 666");
  servers.primary.wait_for(*servers.standby);
  servers.primary.kill();
  std::filesystem::remove_all(data);
  std::filesystem::rename(saved, data);
  servers.primary.start();
  Loop loop(servers.settings());
  expect_none_on_replica(loop, 1, 0);
  CHECK(loop.pool.stats(Lane::replica).last_failure.find("ahead of the primary") != std::string::npos);
}

}  // namespace parley::pg_tests
