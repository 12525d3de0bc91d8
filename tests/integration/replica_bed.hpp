#pragma once
// A primary with a replica, real servers with streaming replication, and reads that the latter may answer.
#include <memory>
#include <string>
#include <vector>

#include "tests/integration/pg_loop.hpp"

namespace parley::pg_tests {

using pg::Batch;
using pg::Lane;
using pg::Statement;
using support::PostgresServer;
using support::StandbyOf;

// Of the table below.
extern const Statement get_number, sum_numbers;
// Whether it is in recovery.
extern const Statement whose;

// Ten numbers, all 0.
void make_table(const PostgresServer& server);
// As libpq has it, without more.
std::string two_hosts(const PostgresServer& first, const PostgresServer& second);

struct Pair {
  explicit Pair(const std::vector<std::string>& standby_settings = {});
  pg::Settings settings() const { return settings_of(primary, *standby); }
  static pg::Settings settings_of(const PostgresServer& primary, const PostgresServer& standby);

  PostgresServer primary;
  std::unique_ptr<PostgresServer> standby;
};

// For the tests that leave them as they found them.
Pair& ordinary();

awaitable<void> write(pg::Pool& pool, int id, std::int64_t number);
awaitable<std::int64_t> number(pg::Pool& pool, int id);
awaitable<std::int64_t> sum(pg::Pool& pool);                                 // on the slow lane
awaitable<void> nap(pg::Pool& pool, double seconds, std::int64_t& counted);  // likewise; how many numbers there are
awaitable<bool> on_replica(pg::Pool& pool);

// Reads until a replica answers one, which takes a look at it first.
void wait_for_replica(Loop& loop);
// And until all its connections to replicas are there, and the slow lane's are read on too.
void wait_for_replicas(Loop& loop);
// A while of reads, none of which a replica may answer.
void expect_none_on_replica(Loop& loop, int id, std::int64_t expected);

}  // namespace parley::pg_tests
