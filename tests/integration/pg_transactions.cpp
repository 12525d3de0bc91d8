// The write lane: transactions, who waits for them, and what stays when they are let go.

#include <boost/describe/class.hpp>

#include "tests/integration/pg_loop.hpp"

namespace parley::pg_tests {
namespace {

using pg::Batch;
using pg::Lane;
using pg::Statement;
namespace oid = pg::oid;

const Statement insert("test.insert", "INSERT INTO account (name, amount) VALUES ($1, $2)", Lane::write,
                       {oid::text, oid::int8});
const Statement amount("test.amount", "SELECT amount FROM account WHERE name = $1", Lane::read, {oid::text});
const Statement add("test.add", "UPDATE account SET amount = amount + $2 WHERE name = $1", Lane::write,
                    {oid::text, oid::int8});
const Statement backend("test.backend", "SELECT pg_backend_pid()", Lane::write, {});
const Statement nap("test.write_nap", "SELECT pg_sleep($1)::text", Lane::write, {oid::float8});

void make_accounts() {
  shared_server().execute(
      "DROP TABLE IF EXISTS account; CREATE TABLE account (name text CONSTRAINT account_name PRIMARY KEY, "
      "amount int8 NOT NULL CONSTRAINT account_amount CHECK (amount < 1000), "
      "mate text CONSTRAINT account_mate REFERENCES account DEFERRABLE INITIALLY DEFERRED)");
}

std::string amount_of(const std::string& name) {
  return shared_server().execute("SELECT amount FROM account WHERE name = '" + name + "'");
}

TEST_CASE("pg: a committed transaction stays, one let go does not") {
  make_accounts();
  Loop loop(shared_server());
  auto work = [](pg::Pool& pool) -> awaitable<void> {
    auto kept = co_await pool.begin();
    auto results = co_await kept.run(Batch().add(insert, "kept", 1).add(insert, "kept too", 2));
    CHECK(results.affected(0) == 1);
    auto seen = co_await kept.run(Batch(amount, "kept"));
    CHECK(seen.one<int>() == 1);
    co_await kept.commit();

    auto dropped = co_await pool.begin();
    co_await dropped.run(Batch(insert, "dropped", 1));
    {
      auto unused = co_await pool.begin();
    }
    auto empty = co_await pool.begin();
    co_await empty.commit();
    auto last = co_await pool.begin();
    co_await last.run(Batch(insert, "last", 1));
    auto updated = co_await last.commit(Batch(add, "last", 4));
    CHECK(updated.affected() == 1);
    auto at_once = co_await pool.begin();
    co_await at_once.commit(Batch(insert, "at once", 1));
  };
  loop.run(work(loop.pool));
  CHECK(amount_of("kept") == "1");
  CHECK(amount_of("kept too") == "2");
  CHECK(amount_of("last") == "5");
  CHECK(amount_of("at once") == "1");
  CHECK(amount_of("dropped").empty());
  loop.until([&] { return loop.pool.stats(Lane::write).active == 0; });
}

TEST_CASE("pg: a rollback that is awaited leaves no lock behind, whatever was before it") {
  make_accounts();
  Loop loop(shared_server());
  static const Statement try_lock("test.try_lock", "SELECT pg_try_advisory_xact_lock(4711)", Lane::write, {});
  auto work = [](pg::Pool& pool) -> awaitable<void> {
    for (int round = 0; round < 50; ++round) {
      auto first = co_await pool.begin();
      const auto locked = co_await first.run(Batch().add(try_lock).add(insert, "a", 1));
      CHECK(locked.one<bool>(0));
      bool failed = false;
      try {
        if (round % 2 == 0) co_await first.run(Batch(insert, "a", 1));  // breaks the transaction
      } catch (const pg::SqlError&) {
        failed = true;
      }
      CHECK(failed == (round % 2 == 0));
      auto ending = first.roll_back();
      co_await ending.wait();
      CHECK(ending.over());
    }
    auto unused = co_await pool.begin();
    CHECK(unused.roll_back().over());
    auto done = co_await pool.begin();
    co_await done.commit(Batch(insert, "b", 1));
    CHECK(done.roll_back().over());
    auto dropped = co_await pool.begin();
    co_await dropped.run(Batch(insert, "c", 1));
    dropped.roll_back();  // not awaited
  };
  loop.run(work(loop.pool));
  loop.until([&] { return loop.pool.stats(Lane::write).active == 0; });
  CHECK(amount_of("a").empty());
  CHECK(amount_of("b") == "1");
  CHECK(amount_of("c").empty());
}

TEST_CASE("pg: one batch is one transaction") {
  make_accounts();
  Loop loop(shared_server());
  loop.run(loop.pool.write(Batch().add(insert, "a", 1).add(insert, "b", 2)));
  CHECK_THROWS_AS(loop.run(loop.pool.write(Batch().add(insert, "c", 1).add(insert, "a", 2))), pg::SqlError);
  CHECK(amount_of("b") == "2");
  CHECK(amount_of("c").empty());
  CHECK_THROWS_AS(loop.run(loop.pool.write(Batch())), pg::MappingError);
}

TEST_CASE("pg: errors say what was violated") {
  make_accounts();
  Loop loop(shared_server());
  loop.run(loop.pool.write(Batch(insert, "a", 1)));
  auto failure = [&](Batch batch) {
    try {
      loop.run(loop.pool.write(std::move(batch)));
    } catch (const pg::SqlError& error) {
      return error;
    }
    FAIL("it did not fail");
    return pg::SqlError("", "", "", "", "");
  };
  const auto twice = failure(Batch(insert, "a", 1));
  CHECK(twice.is_unique_violation());
  CHECK(twice.is_unique_violation("account_name"));
  CHECK_FALSE(twice.is_unique_violation("other"));
  CHECK_FALSE(twice.is_foreign_key_violation());
  CHECK(twice.statement == "test.insert");
  CHECK(twice.in_class("23"));
  CHECK(twice.detail == "Key (name)=(a) already exists.");
  CHECK(failure(Batch(add, "a", 2'000)).is_check_violation("account_amount"));
  static const Statement with_mate("test.with_mate", "INSERT INTO account VALUES ($1, 1, $2)", Lane::write,
                                   {oid::text, oid::text});
  const auto deferred = failure(Batch(with_mate, "b", "nobody"));
  CHECK(deferred.is_foreign_key_violation("account_mate"));
  CHECK(deferred.statement == "COMMIT");
  CHECK(amount_of("b").empty());
}

TEST_CASE("pg: after an error a transaction can only be let go") {
  make_accounts();
  Loop loop(shared_server());
  auto work = [](pg::Pool& pool) -> awaitable<void> {
    auto transaction = co_await pool.begin();
    co_await transaction.run(Batch(insert, "a", 1));
    bool failed = false;
    try {
      co_await transaction.run(Batch().add(insert, "b", 1).add(insert, "a", 1));
    } catch (const pg::SqlError& error) {
      failed = error.is_unique_violation();
    }
    CHECK(failed);
    failed = false;
    try {
      co_await transaction.commit();
    } catch (const std::logic_error&) {
      failed = true;
    }
    CHECK(failed);
  };
  for (int i = 0; i < 20; ++i) loop.run(work(loop.pool));
  CHECK(shared_server().execute("SELECT count(*) FROM account") == "0");
  loop.until([&] { return loop.pool.stats(Lane::write).active == 0; });
  CHECK(shared_server().execute("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'") ==
        "0");
}

// Transactions that fail, are dropped while a batch runs, or commit; money is only moved, never made.
awaitable<void> move_money(pg::Pool& pool, int seed) {
  const std::string names[] = {"a", "b", "c"};
  for (int i = 0; i < 30; ++i) {
    const int kind = (seed + i) % 4;
    const auto& from = names[(seed + i) % 2];
    const auto& to = names[2];
    auto transaction = co_await pool.begin();
    try {
      co_await transaction.run(Batch(add, from, -1));
      if (kind == 1) continue;
      if (kind == 2) co_await transaction.run(Batch(insert, "a", 0));
      if (kind == 3)
        co_await transaction.commit(Batch(add, to, 1));
      else
        co_await transaction.run(Batch(add, to, 1));
      if (kind == 0) co_await transaction.commit();
    } catch (const pg::SqlError& error) {
      CHECK_MESSAGE((error.is_unique_violation() || error.is_retryable()), error.what());
    }
  }
}

TEST_CASE("pg: rolled back transactions leave nothing to whoever has the connection next") {
  make_accounts();
  auto settings = settings_for(shared_server());
  settings.write_connections = 3;
  settings.write_wait = 20s;
  Loop loop(settings);
  for (const char* name : {"a", "b", "c"}) loop.run(loop.pool.write(Batch(insert, name, 100)));
  for (int i = 0; i < 12; ++i) loop.launch(move_money(loop.pool, i));
  loop.finish();
  CHECK(shared_server().execute("SELECT sum(amount) FROM account") == "300");
  CHECK(amount_of("c") != "100");
  loop.until([&] { return loop.pool.stats(Lane::write).active == 0; });
}

awaitable<void> hold(pg::Pool& pool, const bool& over, int& held) {
  auto transaction = co_await pool.begin();
  co_await transaction.run(Batch(backend));
  ++held;
  while (!over) co_await pause_for(1ms);
}

awaitable<void> want(pg::Pool& pool, int& served, int& refused) {
  try {
    auto transaction = co_await pool.begin();
    co_await transaction.commit(Batch(backend));
    ++served;
  } catch (const pg::Unavailable&) {
    ++refused;
  }
}

TEST_CASE("pg: those who wait for a connection are bounded, first come first served") {
  auto settings = settings_for(shared_server());
  settings.write_connections = 2;
  settings.max_waiters = 5;
  settings.write_wait = 30s;
  Loop loop(settings);
  bool over = false;
  int held = 0, served = 0, refused = 0, at_once = 0, later = 0;
  loop.pool.observe_waits([&](Lane lane, double seconds) {
    CHECK(lane == Lane::write);
    ++(seconds > 0 ? later : at_once);
  });
  for (int i = 0; i < 2; ++i) loop.launch(hold(loop.pool, over, held));
  loop.until([&] { return held == 2; });
  for (int i = 0; i < 9; ++i) loop.launch(want(loop.pool, served, refused));
  loop.until([&] { return refused == 4; });
  CHECK(loop.pool.stats(Lane::write).waiters == 5);
  CHECK(loop.pool.stats(Lane::write).active == 2);
  over = true;
  loop.finish();
  CHECK(served == 5);
  const auto stats = loop.pool.stats(Lane::write);
  CHECK(stats.waiters == 0);
  CHECK(stats.configured == 2);
  CHECK(stats.rejected == 4);
  CHECK(stats.queue_full == 4);
  CHECK(stats.late == 0);
  CHECK(stats.waits >= 5);
  CHECK(later >= 5);
  CHECK(at_once + later >= 7);
  CHECK(stats.wait_seconds > 0);
}

TEST_CASE("pg: waiting for a connection ends") {
  auto settings = settings_for(shared_server());
  settings.write_connections = 1;
  settings.write_wait = 50ms;
  Loop loop(settings);
  loop.wait_until_available();
  bool over = false;
  int held = 0, served = 0, refused = 0;
  loop.launch(hold(loop.pool, over, held));
  loop.until([&] { return held == 1; });
  for (int i = 0; i < 3; ++i) loop.launch(want(loop.pool, served, refused));
  loop.until([&] { return refused == 3; });
  over = true;
  loop.finish();
  loop.run(want(loop.pool, served, refused));
  CHECK(served == 1);
}

TEST_CASE("pg: a transaction dropped while its batch runs is rolled back after it") {
  make_accounts();
  auto settings = settings_for(shared_server());
  settings.write_connections = 1;
  auto loop = std::make_unique<Loop>(settings);
  auto work = [](pg::Pool& pool) -> awaitable<void> {
    auto transaction = co_await pool.begin();
    co_await transaction.run(Batch().add(insert, "a", 1).add(nap, 30.0));
  };
  loop->launch(work(loop->pool));
  loop->until([&] { return loop->pool.stats(Lane::write).in_flight == 1; });
  loop.reset();  // with the coroutine still waiting
  shared_server().execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(%'");
  CHECK(amount_of("a").empty());
}

TEST_CASE("pg: without prepared statements too") {
  make_accounts();
  auto settings = settings_for(shared_server());
  settings.prepared = false;
  settings.write_connections = 2;
  settings.write_wait = 20s;
  Loop loop(settings);
  for (const char* name : {"a", "b", "c"}) loop.run(loop.pool.write(Batch(insert, name, 100)));
  for (int i = 0; i < 6; ++i) loop.launch(move_money(loop.pool, i));
  loop.finish();
  CHECK(shared_server().execute("SELECT sum(amount) FROM account") == "300");
  CHECK(shared_server().execute("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'") ==
        "0");
}

TEST_CASE("pg: nothing of this makes the server warn") {
  const auto log = shared_server().log();
  CHECK(log.find("WARNING") == log.npos);
}

}  // namespace
}  // namespace parley::pg_tests
