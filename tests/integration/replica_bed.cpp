#include "tests/integration/replica_bed.hpp"

namespace parley::pg_tests {

const Statement get_number("replica.get_number", "SELECT n FROM number WHERE id = $1", Lane::read, {pg::oid::int4});
const Statement sum_numbers("replica.sum_numbers", "SELECT coalesce(sum(n), 0)::int8 AS n FROM number", Lane::slow, {});
const Statement whose("replica.whose", "SELECT pg_is_in_recovery()", Lane::read, {});

namespace {

const Statement set_number("replica.set_number", "UPDATE number SET n = $2 WHERE id = $1", Lane::write,
                           {pg::oid::int4, pg::oid::int8});
const Statement nap_and_count("replica.nap_and_count",
                              "SELECT (SELECT count(*) FROM number)::int8 AS n FROM (SELECT pg_sleep($1)) AS nap "
                              "WHERE nap IS NOT NULL",
                              Lane::slow, {pg::oid::float8});

}  // namespace

void make_table(const PostgresServer& server) {
  server.execute("CREATE TABLE number (id int PRIMARY KEY, n int8 NOT NULL)");
  server.execute("INSERT INTO number SELECT g, 0 FROM generate_series(0, 9) g");
}

std::string two_hosts(const PostgresServer& first, const PostgresServer& second) {
  return "host=127.0.0.1,127.0.0.1 port=" + std::to_string(first.port()) + "," + std::to_string(second.port()) +
         " user=postgres dbname=postgres";
}

Pair::Pair(const std::vector<std::string>& standby_settings) {
  make_table(primary);
  standby = std::make_unique<PostgresServer>(StandbyOf{primary}, standby_settings);
}

pg::Settings Pair::settings_of(const PostgresServer& primary, const PostgresServer& standby) {
  pg::Settings out = settings_for(primary);
  out.replica_url = standby.url();
  return out;
}

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

awaitable<std::int64_t> sum(pg::Pool& pool) {
  auto asked = pool.slow_anywhere(Batch(sum_numbers));
  const auto results = co_await std::move(asked);
  co_return results.one<std::int64_t>();
}

awaitable<void> nap(pg::Pool& pool, double seconds, std::int64_t& counted) {
  auto asked = pool.slow_anywhere(Batch(nap_and_count, seconds));
  const auto results = co_await std::move(asked);
  counted = results.one<std::int64_t>();
}

awaitable<bool> on_replica(pg::Pool& pool) {
  auto asked = pool.read_anywhere(Batch(whose));
  const auto results = co_await std::move(asked);
  co_return results.one<bool>();
}

void wait_for_replica(Loop& loop) {
  loop.wait_until_available();
  while (!loop.run(on_replica(loop.pool))) loop.run(pause_for(5ms));
}

void wait_for_replicas(Loop& loop) {
  wait_for_replica(loop);
  const auto stats = [&] { return loop.pool.stats(Lane::replica); };
  loop.until([&] { return stats().connections == stats().configured; });
  const auto before = loop.pool.replica_reads().replica;
  while (loop.pool.replica_reads().replica == before) loop.run(sum(loop.pool));
}

void expect_none_on_replica(Loop& loop, int id, std::int64_t expected) {
  loop.wait_until_available();
  const auto before = loop.pool.replica_reads();
  for (int i = 0; i < 60; ++i) {
    CHECK(loop.run(number(loop.pool, id)) == expected);
    loop.run(pause_for(5ms));
  }
  CHECK(loop.pool.replica_reads().replica == before.replica);
}

}  // namespace parley::pg_tests
