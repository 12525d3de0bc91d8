// Organizations share the lanes: whoever has much to do keeps nobody from a connection.

#include "common/model/uuid.hpp"
#include "tests/integration/pg_loop.hpp"
#include "tests/support/sql.hpp"

namespace parley::pg_tests {
namespace {

using model::Uuid;
using pg::Batch;
using pg::Lane;
using pg::Statement;
namespace oid = pg::oid;

const Statement count_all("test.turns_count", "SELECT $1::uuid::text", Lane::slow, {oid::uuid}, Statement::Kind::listed,
                          true);
const Statement look("test.turns_look", "SELECT $1::uuid::text", Lane::read, {oid::uuid}, Statement::Kind::listed,
                     true);
const Statement set_plan("test.turns_set", "SELECT set_config('enable_seqscan', 'off', true)", Lane::read, {});
// Goes on when somebody else lets go of the lock.
const Statement wait_for_lock("test.turns_wait", "SELECT pg_advisory_xact_lock_shared(4712)::text || $1::uuid",
                              Lane::read, {oid::uuid}, Statement::Kind::listed, true);

const Statement nap_slow("test.turns_nap_slow", "SELECT pg_sleep(0.3)::text || $1::uuid", Lane::slow, {oid::uuid},
                         Statement::Kind::listed, true);
const Statement nap("test.turns_nap", "SELECT pg_sleep($1)::text", Lane::read, {oid::float8});

struct Order {
  std::string served;
  int refused = 0;
};

awaitable<void> transact(pg::Pool& pool, Uuid organization, char name, Order& order) {
  try {
    auto transaction = co_await pool.begin(organization);
    order.served += name;
    co_await transaction.commit(Batch(look, organization));
  } catch (const pg::Unavailable&) {
    ++order.refused;
  }
}

awaitable<void> hold(pg::Pool& pool, Uuid organization, const bool& over, int& held) {
  auto transaction = co_await pool.begin(organization);
  ++held;
  while (!over) co_await pause_for(1ms);
}

awaitable<void> ask_slow(pg::Pool& pool, Uuid organization, char name, Order& order) {
  co_await pool.slow(Batch(count_all, organization));
  order.served += name;
}

awaitable<void> nap_slowly(pg::Pool& pool, Uuid organization, char name, Order& order) {
  co_await pool.slow(Batch(nap_slow, organization));
  order.served += name;
}

awaitable<void> ask_and_wait(pg::Pool& pool, Uuid organization, char name, Order& order) {
  try {
    co_await pool.read(Batch(wait_for_lock, organization));
    order.served += name;
  } catch (const pg::Unavailable&) {
    ++order.refused;
  }
}

awaitable<void> ask(pg::Pool& pool, Uuid organization, char name, Order& order) {
  try {
    co_await pool.read(Batch(look, organization));
    order.served += name;
  } catch (const pg::Unavailable&) {
    ++order.refused;
  }
}

const Uuid a = model::new_uuid(), b = model::new_uuid(), c = model::new_uuid();

TEST_CASE("pg: who comes late waits for a turn of each organization, not for all that one of them has to do") {
  auto settings = settings_for(shared_server());
  settings.write_connections = 1;
  settings.write_wait = 30s;
  Loop loop(settings);
  bool over = false;
  int held = 0;
  Order order;
  loop.launch(hold(loop.pool, {}, over, held));
  loop.until([&] { return held == 1; });
  for (int i = 0; i < 5; ++i) loop.launch(transact(loop.pool, a, 'a', order));
  for (int i = 0; i < 2; ++i) loop.launch(transact(loop.pool, b, 'b', order));
  loop.launch(transact(loop.pool, c, 'c', order));
  loop.until([&] { return loop.pool.stats(Lane::write).waiters == 8; });
  CHECK(loop.pool.stats(Lane::write).organizations == 3);
  over = true;
  loop.finish();
  CHECK(order.served == "abcabaaa");
}

TEST_CASE("pg: an organization has all connections of a lane but one, and gets the next when it gives one back") {
  auto settings = settings_for(shared_server());
  settings.write_connections = 3;
  settings.write_wait = 30s;
  Loop loop(settings);
  loop.wait_until_available();
  loop.until([&] { return loop.pool.stats(Lane::write).connections == 3; });
  bool over = false, others_over = false;
  int held = 0, others = 0;
  for (int i = 0; i < 4; ++i) loop.launch(hold(loop.pool, a, over, held));
  loop.until([&] { return held == 2 && loop.pool.stats(Lane::write).waiters == 2; });
  Order order;
  loop.launch(transact(loop.pool, b, 'b', order));
  loop.until([&] { return order.served == "b"; });  // though others wait
  CHECK(held == 2);
  loop.launch(hold(loop.pool, b, others_over, others));
  loop.until([&] { return others == 1; });
  loop.launch(transact(loop.pool, {}, 'w', order));  // nobody's in particular: only what is free bounds it
  over = true;
  loop.until([&] { return held == 4 && order.served == "bw"; });
  others_over = true;
  loop.finish();
  CHECK(loop.pool.stats(Lane::write).waiters == 0);
  CHECK(loop.pool.stats(Lane::write).rejected == 0);
}

TEST_CASE("pg: what an organization lost with its connection, and gives back later, is had by who waits") {
  auto settings = settings_for(shared_server());
  settings.write_connections = 2;
  settings.write_wait = 10s;
  Loop loop(settings);
  loop.until([&] { return loop.pool.stats(Lane::write).connections == 2; });
  bool over = false;
  int held = 0;
  Order order;
  loop.launch(hold(loop.pool, a, over, held));
  loop.until([&] { return held == 1; });
  loop.launch(transact(loop.pool, a, 'a', order));
  shared_server().execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parley'");
  loop.until([&] {
    const auto stats = loop.pool.stats(Lane::write);
    return stats.connects == 4 && stats.connections == 2;
  });
  CHECK(loop.pool.stats(Lane::write).waiters == 1);
  over = true;
  loop.finish();
  CHECK(order.served == "a");
  CHECK(order.refused == 0);
}

TEST_CASE("pg: whose batches take long waits longer for a turn, and who asks for little does not wait for all that") {
  auto settings = settings_for(shared_server());
  settings.slow_connections = 1;
  settings.slow_wait = 60s;
  Loop loop(settings);
  loop.until([&] { return loop.pool.stats(Lane::slow).connections == 1; });
  Order order;
  for (int i = 0; i < 3; ++i) loop.launch(nap_slowly(loop.pool, a, 'a', order));
  for (int i = 0; i < 3; ++i) loop.launch(nap_slowly(loop.pool, b, 'b', order));
  for (int i = 0; i < 3; ++i) loop.launch(ask_slow(loop.pool, c, 'c', order));
  loop.finish();
  CHECK(order.served.substr(0, 5) == "abccc");  // a and b have the same share of what is left
}

TEST_CASE("pg: one connection is everybody's") {
  auto settings = settings_for(shared_server());
  settings.write_connections = settings.slow_connections = 1;
  Loop loop(settings);
  Order order;
  for (int i = 0; i < 3; ++i) loop.run(transact(loop.pool, a, 'a', order));
  for (int i = 0; i < 3; ++i) loop.run(ask_slow(loop.pool, b, 'b', order));
  CHECK(order.served == "aaabbb");
}

TEST_CASE("pg: where nobody more can wait, the last of the organization with most of them is sent away") {
  auto settings = settings_for(shared_server());
  settings.write_connections = 1;
  settings.max_waiters = 4;
  settings.write_wait = 30s;
  Loop loop(settings);
  bool over = false;
  int held = 0;
  Order noisy, quiet;
  loop.launch(hold(loop.pool, {}, over, held));
  loop.until([&] { return held == 1; });
  for (int i = 0; i < 6; ++i) loop.launch(transact(loop.pool, a, 'a', noisy));
  loop.until([&] { return noisy.refused == 2; });
  loop.launch(transact(loop.pool, b, 'b', quiet));
  loop.launch(transact(loop.pool, c, 'c', quiet));
  loop.until([&] { return noisy.refused == 4; });
  CHECK(loop.pool.stats(Lane::write).waiters == 4);
  CHECK(loop.pool.stats(Lane::write).queue_full == 4);
  over = true;
  loop.finish();
  CHECK(noisy.served == "aa");
  CHECK(quiet.served == "bc");
  CHECK(quiet.refused == 0);
  CHECK(loop.pool.stats(Lane::write).late == 0);
}

TEST_CASE("pg: long counts of one organization leave another a connection, also those that begin with a setting") {
  support::Sql lock(shared_server().url());
  lock.value("SELECT pg_advisory_lock(4712)");
  auto settings = settings_for(shared_server());
  settings.slow_connections = 3;
  settings.slow_wait = 30s;
  Loop loop(settings);
  loop.wait_until_available();
  loop.until([&] { return loop.pool.stats(Lane::slow).connections == 3; });
  int done = 0;
  const auto wait = [&]() -> awaitable<void> {
    Batch batch(set_plan);
    batch.add(wait_for_lock, a);
    co_await loop.pool.slow(std::move(batch));
    ++done;
  };
  for (int i = 0; i < 5; ++i) loop.launch(wait());
  loop.until([&] { return loop.pool.stats(Lane::slow).waiters == 3; });
  Order order;
  loop.launch(ask_slow(loop.pool, b, 'b', order));
  loop.until([&] { return order.served == "b"; });
  CHECK(done == 0);
  lock.value("SELECT pg_advisory_unlock(4712)");
  loop.finish();
  CHECK(done == 5);
}

TEST_CASE("pg: a read waits for few of another organization's, however many that has sent") {
  support::Sql lock(shared_server().url());
  lock.value("SELECT pg_advisory_lock(4712)");
  auto settings = settings_for(shared_server());
  settings.read_connections = 1;
  settings.read_deadline = 60s;
  Loop loop(settings);
  loop.wait_until_available();
  Order order;
  for (int i = 0; i < 8; ++i) loop.launch(ask_and_wait(loop.pool, a, 'a', order));
  loop.until([&] { return loop.pool.stats(Lane::read).in_flight + loop.pool.stats(Lane::read).waiters == 8; });
  CHECK(loop.pool.stats(Lane::read).in_flight == 4);
  loop.launch(ask(loop.pool, b, 'b', order));
  loop.launch(ask(loop.pool, {}, 'w', order));  // nobody's in particular
  lock.value("SELECT pg_advisory_unlock(4712)");
  loop.finish();
  CHECK(order.served == "aaaabwaaaa");
}

TEST_CASE("pg: of a connection that hangs only the first read is lost, where another one answers") {
  support::Sql lock(shared_server().url());
  lock.value("SELECT pg_advisory_lock(4712)");
  auto settings = settings_for(shared_server());
  settings.outage_grace = 1s;
  settings.read_deadline = 3s;
  Loop loop(settings);
  loop.until([&] { return loop.pool.stats(Lane::read).connections == 2; });
  Order first, behind, others;
  const auto rest = [&]() -> awaitable<void> { co_await loop.pool.read(Batch(nap, 0.1)); };
  loop.launch(ask_and_wait(loop.pool, a, 'a', first));
  loop.launch(rest());
  for (int i = 0; i < 2; ++i) loop.launch(ask(loop.pool, b, 'b', behind));  // behind each of them
  // The other one has also prepared what ran there.
  loop.until([&] { return behind.served == "b" && loop.pool.stats(Lane::read).in_flight == 2; });
  const auto keep_asking = [&]() -> awaitable<void> {
    while (first.refused == 0) co_await ask(loop.pool, c, 'c', others);
  };
  loop.launch(keep_asking());
  loop.finish();
  CHECK(first.refused == 1);
  CHECK(behind.served == "bb");
  CHECK(behind.refused == 0);
  CHECK(loop.pool.stats(Lane::read).deadlines == 1);
  CHECK(loop.pool.stats(Lane::read).retried == 1);
}

TEST_CASE("pg: behind the reads that are under way organizations take turns, too") {
  support::Sql lock(shared_server().url());
  lock.value("SELECT pg_advisory_lock(4712)");
  auto settings = settings_for(shared_server());
  settings.read_connections = 1;
  settings.max_reads_a_connection = 1;
  settings.max_reads_waiting = 6;
  settings.read_wait = 30s;
  Loop loop(settings);
  loop.wait_until_available();
  const auto block = [&]() -> awaitable<void> { co_await loop.pool.read(Batch(wait_for_lock, a)); };
  loop.launch(block());
  loop.until([&] { return loop.pool.stats(Lane::read).in_flight == 1; });
  Order order;
  for (int i = 0; i < 8; ++i) loop.launch(ask(loop.pool, a, 'a', order));
  loop.launch(ask(loop.pool, b, 'b', order));
  loop.launch(ask(loop.pool, c, 'c', order));
  loop.until([&] { return order.refused == 4; });
  CHECK(loop.pool.stats(Lane::read).waiters == 6);
  CHECK(loop.pool.stats(Lane::read).too_many == 4);
  lock.value("SELECT pg_advisory_unlock(4712)");
  loop.finish();
  CHECK(order.served == "abcaaa");
}

}  // namespace
}  // namespace parley::pg_tests
