// The server dies, hangs, ends sessions, or answers more than fits into the buffers. Each test has a server of its own.

#include <boost/describe/class.hpp>

#include "common/pg/migrate.hpp"
#include "tests/integration/pg_loop.hpp"

namespace parley::pg_tests {
namespace {

using pg::Batch;
using pg::Lane;
using pg::Statement;
namespace oid = pg::oid;

const Statement number("faults.number", "SELECT $1::int8", Lane::read, {oid::int8});
const Statement numbers("faults.numbers", "SELECT n FROM generate_series($1::int8, $1::int8 + 9) n", Lane::read,
                        {oid::int8});
const Statement nap("faults.nap", "SELECT pg_sleep($1)::text", Lane::read, {oid::float8});
const Statement slow_nap("faults.slow_nap", "SELECT pg_sleep($1)::text", Lane::slow, {oid::float8});
const Statement write_nap("faults.write_nap", "SELECT pg_sleep($1)::text", Lane::write, {oid::float8});
const Statement blob("faults.blob", "SELECT $1::text", Lane::read, {oid::text});
const Statement insert("faults.insert", "INSERT INTO entry (id) VALUES ($1)", Lane::write, {oid::int8});
const Statement end_self("faults.end_self", "SELECT pg_terminate_backend(pg_backend_pid())::text", Lane::read, {});

struct Tally {
  long right = 0, wrong = 0, unavailable = 0, unknown = 0, other = 0;
};

// Reads whose rows can be told from anybody else's.
awaitable<void> keep_reading(pg::Pool& pool, const bool& over, std::int64_t mark, Tally& tally) {
  while (!over) {
    mark += 1'000;
    bool failed = false;
    try {
      Batch batch;
      batch.add(number, mark).add(numbers, mark).add(number, -mark);
      auto results = co_await pool.read(std::move(batch));
      const auto rows = results.rows<std::int64_t>(1);
      const bool right = results.one<std::int64_t>(0) == mark && rows.size() == 10 && rows[9] == mark + 9 &&
                         results.one<std::int64_t>(2) == -mark;
      ++(right ? tally.right : tally.wrong);
    } catch (const pg::Unavailable&) {
      ++tally.unavailable;
      failed = true;
    } catch (const std::exception& error) {
      MESSAGE(error.what());
      ++tally.other;
    }
    if (failed) co_await pause_for(5ms);
  }
}

// What each insert was told, to be compared with what is there.
struct Told {
  std::vector<std::int64_t> done, refused, unknown;
  int other = 0;
};

awaitable<void> keep_writing(pg::Pool& pool, const bool& over, std::int64_t& next, Told& told) {
  while (!over) {
    const auto id = ++next;
    bool failed = false;
    try {
      if (id % 2 == 0) {
        co_await pool.write(Batch(insert, id));
      } else {
        auto transaction = co_await pool.begin();
        co_await transaction.run(Batch(insert, id));
        co_await transaction.commit();
      }
      told.done.push_back(id);
    } catch (const pg::OutcomeUnknown&) {
      told.unknown.push_back(id);
      failed = true;
    } catch (const pg::Unavailable&) {
      told.refused.push_back(id);
      failed = true;
    } catch (const std::exception& error) {
      MESSAGE(error.what());
      ++told.other;
    }
    if (failed) co_await pause_for(5ms);
  }
}

void check(const support::PostgresServer& server, const Told& told) {
  auto count = [&](const std::vector<std::int64_t>& ids) {
    std::string list = "0";
    for (auto id : ids) list += ',' + std::to_string(id);
    return std::stoul(server.execute("SELECT count(*) FROM entry WHERE id IN (" + list + ")"));
  };
  CHECK(count(told.done) == told.done.size());
  CHECK(count(told.refused) == 0);
  CHECK(told.other == 0);
  CHECK(told.done.size() > 0);
}

TEST_CASE("pg: the server is killed and started again under load") {
  support::PostgresServer server;
  server.execute("CREATE TABLE entry (id int8 PRIMARY KEY)");
  Loop loop(server);
  loop.wait_until_available();
  bool over = false;
  std::int64_t next = 0;
  Tally tally;
  Told told;
  for (int i = 0; i < 64; ++i) loop.launch(keep_reading(loop.pool, over, i, tally));
  for (int i = 0; i < 8; ++i) loop.launch(keep_writing(loop.pool, over, next, told));
  for (int round = 0; round < 4; ++round) {
    auto enough = [&, right = tally.right, done = told.done.size()] {
      return tally.right > right + 500 && told.done.size() > done + 20;
    };
    loop.until(enough);
    if (round % 2 == 0)
      server.kill();
    else
      server.stop();
    loop.until([&, refused = tally.unavailable] { return tally.unavailable > refused + 64; });
    CHECK_FALSE(loop.pool.available());
    server.start();
  }
  loop.until([&, right = tally.right, done = told.done.size()] {
    return tally.right > right + 500 && told.done.size() > done + 20;
  });
  over = true;
  loop.finish();
  CHECK(tally.wrong == 0);
  CHECK(tally.other == 0);
  check(server, told);
  for (auto lane : {Lane::read, Lane::write, Lane::slow}) {
    loop.until([&] { return loop.pool.stats(lane).idle == loop.pool.stats(lane).connections; });
    CHECK(loop.pool.stats(lane).in_flight == 0);
  }
}

TEST_CASE("pg: sessions are ended in a loop") {
  support::PostgresServer server;
  server.execute("CREATE TABLE entry (id int8 PRIMARY KEY)");
  auto settings = settings_for(server);
  settings.outage_grace = settings.write_wait = 20s;
  Loop loop(settings);
  loop.wait_until_available();
  bool over = false;
  std::int64_t next = 0;
  Tally tally;
  Told told;
  for (int i = 0; i < 64; ++i) loop.launch(keep_reading(loop.pool, over, i, tally));
  for (int i = 0; i < 8; ++i) loop.launch(keep_writing(loop.pool, over, next, told));
  for (int round = 0; round < 20; ++round) {
    server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parley'");
    loop.until([&, right = tally.right, done = told.done.size()] {
      return tally.right > right + 2'000 && told.done.size() > done + 5;
    });
  }
  over = true;
  loop.finish();
  CHECK(tally.wrong == 0);
  CHECK(tally.other == 0);
  CHECK(loop.pool.stats(Lane::read).retried > 0);
  CHECK(tally.unavailable == 0);  // what was lost was sent again
  check(server, told);
}

awaitable<void> read_marked(pg::Pool& pool, int mark, int& right, int& failed) {
  try {
    auto results = co_await pool.read(Batch().add(number, mark).add(numbers, mark));
    if (results.one<int>(0) == mark) ++right;
  } catch (const pg::Unavailable&) {
    ++failed;
  }
}

awaitable<void> read_the_end(pg::Pool& pool, int& failed) {
  try {
    co_await pool.read(Batch().add(number, 1).add(end_self));
  } catch (const pg::Unavailable&) {
    ++failed;
  }
}

TEST_CASE("pg: a connection is lost in the middle of its pipeline") {
  support::PostgresServer server;
  auto settings = settings_for(server);
  settings.read_connections = 1;
  Loop loop(settings);
  loop.wait_until_available();
  for (int round = 0; round < 5; ++round) {
    int right = 0, failed = 0, ended = 0;
    for (int i = 0; i < 30; ++i) loop.launch(read_marked(loop.pool, i, right, failed));
    loop.launch(read_the_end(loop.pool, ended));  // ends its session, is sent again, and ends that one too
    for (int i = 0; i < 30; ++i) loop.launch(read_marked(loop.pool, i, right, failed));
    loop.finish();
    CHECK(ended == 1);
    // Those behind it are lost as often as they are sent behind it.
    CHECK(right + failed == 60);
    CHECK(right >= 30);
    loop.run(read_marked(loop.pool, 1, right, failed));
    CHECK(loop.pool.available());
  }
}

TEST_CASE("pg: a statement runs out of time, and the other lanes do not notice") {
  support::PostgresServer server({"statement_timeout = 300"});
  Loop loop(server);
  loop.wait_until_available();
  bool over = false;
  Tally tally;
  auto timed_out = [](pg::Pool& pool, bool& over) -> awaitable<void> {
    std::string state;
    try {
      auto transaction = co_await pool.begin();
      co_await transaction.run(Batch(write_nap, 20.0));
    } catch (const pg::SqlError& error) {
      state = error.state;
      CHECK(error.is_temporary());
    }
    CHECK(state == "57014");
    state.clear();
    try {
      co_await pool.read(Batch(nap, 20.0));
    } catch (const pg::SqlError& error) {
      state = error.state;
    }
    CHECK(state == "57014");
    co_await pool.slow(Batch(slow_nap, 0.6));  // has a timeout of its own
    over = true;
  };
  for (int i = 0; i < 8; ++i) loop.launch(keep_reading(loop.pool, over, i, tally));
  loop.launch(timed_out(loop.pool, over));
  loop.finish();
  CHECK(tally.right > 0);
  CHECK(tally.wrong + tally.unavailable + tally.other == 0);
  CHECK(loop.pool.stats(Lane::read).connects == 2);
}

awaitable<void> send_and_fetch(pg::Pool& pool, char letter, int count, std::size_t size, int& right) {
  const std::string text(size, letter);
  Batch batch;
  for (int i = 0; i < count; ++i) batch.add(blob, text);
  auto results = co_await pool.read(std::move(batch));
  for (int i = 0; i < count; ++i)
    if (results.one<std::string>(static_cast<std::size_t>(i)) == text) ++right;
}

TEST_CASE("pg: more is sent and answered at once than any buffer holds") {
  support::PostgresServer server;
  auto settings = settings_for(server);
  settings.read_connections = 1;
  settings.read_deadline = 60s;
  Loop loop(settings);
  loop.wait_until_available();
  int right = 0;
  loop.run(send_and_fetch(loop.pool, 'x', 20, 4 << 20, right));
  CHECK(right == 20);
  right = 0;
  for (int i = 0; i < 20; ++i) loop.launch(send_and_fetch(loop.pool, static_cast<char>('a' + i), 1, 4 << 20, right));
  loop.finish();
  CHECK(right == 20);
  right = 0;
  for (int i = 0; i < 200; ++i)  // sizes around those of the buffers
    loop.launch(send_and_fetch(loop.pool, static_cast<char>('a' + i % 26), 3, 4'000 + 257 * static_cast<std::size_t>(i),
                               right));
  loop.finish();
  CHECK(right == 600);
  CHECK(loop.pool.stats(Lane::read).connects == 1);
}

TEST_CASE("pg: a server that hangs is given up, and taken again when it wakes") {
  support::PostgresServer server;
  server.execute("CREATE TABLE entry (id int8 PRIMARY KEY)");
  auto settings = settings_for(server);
  settings.read_deadline = settings.write_deadline = 300ms;
  settings.connect_timeout = 500ms;
  settings.outage_grace = 200ms;
  Loop loop(settings);
  loop.wait_until_available();
  bool over = false;
  std::int64_t next = 0;
  Tally tally;
  Told told;
  for (int i = 0; i < 16; ++i) loop.launch(keep_reading(loop.pool, over, i, tally));
  for (int i = 0; i < 4; ++i) loop.launch(keep_writing(loop.pool, over, next, told));
  for (int round = 0; round < 2; ++round) {
    loop.until([&, right = tally.right, done = told.done.size()] {
      return tally.right > right + 200 && told.done.size() > done + 10;
    });
    server.pause();
    loop.until([&, refused = tally.unavailable] { return tally.unavailable > refused + 32; });
    CHECK_FALSE(loop.pool.available());
    CHECK(loop.pool.stats(Lane::read).deadlines > 0);
    server.resume();
  }
  loop.until([&, right = tally.right, done = told.done.size()] {
    return tally.right > right + 200 && told.done.size() > done + 10;
  });
  over = true;
  loop.finish();
  CHECK(tally.wrong == 0);
  CHECK(tally.other == 0);
  check(server, told);
}

TEST_CASE("pg: a connection lost at COMMIT leaves the outcome unknown, before it nothing done") {
  support::PostgresServer server;
  server.execute(
      "CREATE TABLE entry (id int8 PRIMARY KEY);"
      "CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS "
      "$$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$;"
      "CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW "
      "WHEN (NEW.id = 1) EXECUTE FUNCTION wait_at_commit()");
  Loop loop(server);
  // So that none is waited for when one goes.
  loop.until([&] { return loop.pool.stats(Lane::write).connections == 8; });
  enum class Outcome { none, done, unknown, unavailable };
  auto commit = [](pg::Pool& pool, bool in_one, Outcome& outcome) -> awaitable<void> {
    try {
      if (in_one) {
        co_await pool.write(Batch(insert, 1));
      } else {
        auto transaction = co_await pool.begin();
        co_await transaction.run(Batch(insert, 1));
        co_await transaction.commit();
      }
      outcome = Outcome::done;
    } catch (const pg::OutcomeUnknown&) {
      outcome = Outcome::unknown;
    } catch (const pg::Unavailable&) {
      outcome = Outcome::unavailable;
    }
  };
  auto terminate = [&](const std::string& query) {
    loop.until([&] {
      return server.execute(
                 "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state <> 'idle' AND query LIKE '" +
                 query + "%' AND pid <> pg_backend_pid()") == "t";
    });
  };
  for (bool in_one : {true, false}) {
    Outcome outcome = Outcome::none;
    loop.launch(commit(loop.pool, in_one, outcome));
    terminate("COMMIT");
    loop.finish();
    CHECK(outcome == Outcome::unknown);
  }
  auto idle = [](pg::Pool& pool, bool& terminated, Outcome& outcome) -> awaitable<void> {
    try {
      auto transaction = co_await pool.begin();
      co_await transaction.run(Batch(insert, 2));
      while (!terminated) co_await pause_for(1ms);
      co_await pause_for(100ms);
      co_await transaction.commit();
    } catch (const pg::OutcomeUnknown&) {
      outcome = Outcome::unknown;
    } catch (const pg::Unavailable&) {
      outcome = Outcome::unavailable;
    }
  };
  bool terminated = false;
  Outcome outcome = Outcome::none;
  loop.launch(idle(loop.pool, terminated, outcome));
  terminate("INSERT");
  terminated = true;
  loop.finish();
  CHECK(outcome == Outcome::unavailable);
  CHECK(server.execute("SELECT count(*) FROM entry") == "0");
}

TEST_CASE("pg: a server that is full serves every lane, and has room again when others leave") {
  support::PostgresServer server({"max_connections = 6", "superuser_reserved_connections = 1"});
  const auto use_all_lanes = [](Loop& loop) {  // 12 connections wanted, 6 there
    const auto connections = [&](Lane lane) { return loop.pool.stats(lane).connections; };
    loop.until(
        [&] { return connections(Lane::read) > 0 && connections(Lane::write) > 0 && connections(Lane::slow) > 0; });
    CHECK(loop.run(loop.pool.read(Batch(number, 4))).one<int>() == 4);
    CHECK(loop.run(loop.pool.write(Batch(number, 5))).one<int>() == 5);
    CHECK(loop.run(loop.pool.slow(Batch(number, 6))).one<int>() == 6);
  };
  for (int round = 0; round < 3; ++round) {
    Loop loop(server);
    use_all_lanes(loop);
    loop.until([&] {
      return loop.pool.stats(Lane::write).connect_failures + loop.pool.stats(Lane::slow).connect_failures > 0;
    });
    const auto said = loop.pool.stats(Lane::write).last_failure + loop.pool.stats(Lane::slow).last_failure;
    CHECK_MESSAGE(said.find("FATAL") != said.npos, said);
    use_all_lanes(loop);
    loop.run(loop.pool.close());
  }
}

TEST_CASE("pg: a pool begins before its server") {
  support::PostgresServer server;
  server.stop();
  auto settings = settings_for(server);
  settings.outage_grace = 100ms;
  Loop loop(settings);
  CHECK_THROWS_AS(loop.run(loop.pool.read(Batch(number, 1))), pg::Unavailable);
  CHECK_THROWS_AS(loop.run(loop.pool.write(Batch(number, 1))), pg::Unavailable);
  CHECK_THROWS_AS(loop.run(loop.pool.slow(Batch(number, 1))), pg::Unavailable);
  server.start();
  loop.wait_until_available();
  CHECK(loop.run(loop.pool.read(Batch(number, 1))).one<int>() == 1);
}

}  // namespace
}  // namespace parley::pg_tests
