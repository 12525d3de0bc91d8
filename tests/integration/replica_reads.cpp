// Reads that a replica may answer, while servers are behind, hang, are killed or have too much to do.
#include <chrono>
#include <set>

#include "tests/integration/replica_bed.hpp"

namespace parley::pg_tests {
namespace {

const Statement divide("replica.divide", "SELECT 1 / $1 AS n", Lane::read, {pg::oid::int8});
// Which server it is, after a while.
const Statement nap_and_port("replica.nap_and_port",
                             "SELECT inet_server_port() FROM (SELECT pg_sleep($1)) AS nap WHERE nap IS NOT NULL",
                             Lane::read, {pg::oid::float8});

awaitable<void> write_and_read(pg::Pool& writer, pg::Pool& reader, int id, int times) {
  for (std::int64_t i = 1; i <= times; ++i) {
    co_await write(writer, id, i);
    const auto read = co_await number(reader, id);
    CHECK(read == i);
  }
}

awaitable<void> port(pg::Pool& pool, Lane lane, std::set<int>& ports) {
  Batch batch(nap_and_port, 0.1);
  auto asked = lane == Lane::slow ? pool.slow_anywhere(std::move(batch)) : pool.read_anywhere(std::move(batch));
  const auto results = co_await std::move(asked);
  ports.insert(results.one<std::int32_t>());
}

// The servers that answer so many at once.
std::set<int> ports_of(Loop& loop, Lane lane, int times) {
  std::set<int> ports;
  for (int i = 0; i < times; ++i) loop.launch(port(loop.pool, lane, ports));
  loop.finish();
  return ports;
}

// A pool whose two connections of a lane lead to the two replicas. Where one leads is left to chance.
std::unique_ptr<Loop> spread_over(const pg::Settings& settings, Lane lane, const std::set<int>& ports) {
  for (int pools = 0; pools < 30; ++pools) {
    auto loop = std::make_unique<Loop>(settings);
    wait_for_replicas(*loop);
    for (int i = 0; i < 3; ++i)
      if (ports_of(*loop, lane, 2) == ports) return loop;
  }
  throw std::runtime_error("both connections lead to one replica, again and again");
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
  CHECK(loop.pool.stats(Lane::replica).connections == 5);
}

TEST_CASE("a batch that a replica answers has one snapshot, the slow lane's as well") {
  Pair& servers = ordinary();
  Loop loop(servers.settings());
  wait_for_replica(loop);
  loop.run(write(loop.pool, 1, 41));
  const auto before = loop.pool.replica_reads().replica;
  while (loop.pool.replica_reads().replica == before) {
    CHECK(loop.run(sum(loop.pool)) == 41);
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

TEST_CASE("a primary that hangs costs a read one deadline, not the question's and then its own") {
  Pair servers;
  auto settings = servers.settings();
  settings.read_deadline = 3s;
  Loop loop(settings);
  wait_for_replica(loop);
  servers.primary.pause();
  auto read = [](pg::Pool& pool, std::chrono::milliseconds& took) -> awaitable<void> {
    const auto began = pg::Clock::now();
    try {
      co_await number(pool, 1);
    } catch (const pg::Unavailable&) {
    }
    took = std::chrono::duration_cast<std::chrono::milliseconds>(pg::Clock::now() - began);
  };
  std::chrono::milliseconds first{}, joining{};
  loop.launch(read(loop.pool, first));
  loop.run_for(100ms);
  loop.launch(read(loop.pool, joining));  // its question waits for the first one's
  loop.finish();
  servers.primary.resume();
  MESSAGE("the first ", first.count(), " ms, who came after it ", joining.count(), " ms");
  CHECK(first < settings.read_deadline + 1'500ms);
  CHECK(joining < settings.read_deadline + 1'500ms);
}

TEST_CASE("a batch of the slow lane has as long on a replica as on the primary") {
  Pair& servers = ordinary();
  Loop loop(servers.settings());
  wait_for_replicas(loop);
  const auto before = loop.pool.replica_reads().replica;
  std::int64_t counted = 0;
  loop.run(nap(loop.pool, 6.5, counted));
  CHECK(counted == 10);
  CHECK(loop.pool.replica_reads().replica == before + 1);
}

TEST_CASE("a replica that hangs while it answers a slow batch is not waited for: the primary answers") {
  Pair& servers = ordinary();
  Loop loop(servers.settings());
  wait_for_replicas(loop);
  std::int64_t counted = 0;
  loop.launch(nap(loop.pool, 1.0, counted));
  loop.run_for(300ms);
  servers.standby->pause();
  const auto begin = std::chrono::steady_clock::now();
  loop.finish();
  CHECK(std::chrono::steady_clock::now() - begin < 15s);  // a connection's deadline is 35 s
  servers.standby->resume();
  CHECK(counted == 10);
}

TEST_CASE("a replica whose connections are all in use refuses nobody: the primary answers") {
  Pair& servers = ordinary();
  auto settings = servers.settings();
  settings.slow_connections = 1;
  Loop loop(settings);
  wait_for_replicas(loop);
  std::int64_t counted = 0;
  loop.launch(nap(loop.pool, 1.0, counted));
  loop.run_for(200ms);
  const auto before = loop.pool.replica_reads();
  const auto waited = loop.pool.stats(Lane::replica).waits;  // those who came before its connections, if any
  CHECK(loop.run(sum(loop.pool)) == 0);
  CHECK(loop.pool.replica_reads().away == before.away + 1);
  const auto stats = loop.pool.stats(Lane::replica);
  CHECK(stats.waits == waited + 1);
  CHECK(stats.rejected == 0);
  CHECK(stats.late == 0);
  loop.finish();
}

TEST_CASE("on a replica that has become slow only so many reads are waiting") {
  Pair& servers = ordinary();
  Loop loop(servers.settings());
  wait_for_replica(loop);
  servers.standby->pause();
  auto read = [](pg::Pool& pool) -> awaitable<void> { co_await number(pool, 1); };
  for (int i = 0; i < 500; ++i) loop.launch(read(loop.pool));
  loop.run_for(100ms);
  CHECK(loop.pool.stats(Lane::replica).in_flight < 300);  // 128 on each of its connections
  servers.standby->resume();
  loop.finish();
}

TEST_CASE("what a replica cancels for the sake of replay is asked of the primary") {
  Pair servers({"max_standby_streaming_delay = 0", "hot_standby_feedback = off"});
  Loop loop(servers.settings());
  wait_for_replicas(loop);
  std::int64_t counted = 0;
  loop.launch(nap(loop.pool, 1.0, counted));
  loop.run_for(200ms);
  servers.primary.execute("ALTER TABLE number ADD COLUMN more int");  // its lock, replayed, ends the nap
  loop.finish();
  CHECK(counted == 10);
  CHECK(loop.pool.stats(Lane::replica).errors["40"] == 1);
}

TEST_CASE("while one of two replicas is behind the other one is read, on either lane") {
  Pair servers;
  PostgresServer second(StandbyOf{servers.primary});
  auto settings = servers.settings();
  settings.replica_url = two_hosts(*servers.standby, second);
  for (const Lane lane : {Lane::read, Lane::slow}) {
    INFO(pg::name_of(lane));
    const auto loop = spread_over(settings, lane, {servers.standby->port(), second.port()});
    // The one that is asked first, all else being equal.
    const bool is_second = ports_of(*loop, lane, 1).contains(second.port());
    auto& behind = is_second ? second : *servers.standby;
    auto& current = is_second ? *servers.standby : second;
    behind.execute("SELECT pg_wal_replay_pause()");
    loop->run(write(loop->pool, 1, lane == Lane::read ? 1 : 2));
    servers.primary.wait_for(current);
    const auto before = loop->pool.replica_reads();
    // But for a moment in which the primary has written something of its own (its running transactions, each 15 s).
    int by_current = 0;
    for (int i = 0; i < 20; ++i) {
      const auto ports = ports_of(*loop, lane, 1);
      CHECK_FALSE(ports.contains(behind.port()));
      by_current += ports == std::set<int>{current.port()};
    }
    CHECK(by_current >= 15);
    CHECK(loop->pool.replica_reads().replica - before.replica == static_cast<std::uint64_t>(by_current));
    behind.execute("SELECT pg_wal_replay_resume()");
    servers.primary.wait_for(behind);
  }
}

}  // namespace parley::pg_tests
