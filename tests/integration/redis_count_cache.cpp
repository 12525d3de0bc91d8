#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/system/system_error.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/redis/count_cache.hpp"
#include "tests/integration/redis_loop.hpp"
#include "tests/support/servers.hpp"

using namespace parley::redis_tests;
using parley::support::RedisServer;
namespace redis = parley::redis;
namespace model = parley::model;
using redis::Counted;

namespace {

const model::Uuid organization = *model::Uuid::parse("0190a000-0000-7000-8000-000000000001");

// Stands in for PostgreSQL: a version that only grows, and the total at each.
struct Store {
  std::int64_t version = 0;
  std::vector<std::int64_t> totals{1'000};  // by version
  int counts = 0;

  void change(std::int64_t steps = 1) {
    for (; steps > 0; --steps) {
      ++version;
      totals.push_back(1'000 + version * 7);
    }
  }
  std::int64_t total() const { return totals.back(); }

  // A count whose snapshot is taken after `before` and whose answer comes `after` that.
  redis::CountFunction counter(std::chrono::microseconds before = 0us, std::chrono::microseconds after = 0us) {
    return [this, before, after] { return count(before, after); };
  }
  awaitable<Counted> count(std::chrono::microseconds before, std::chrono::microseconds after) {
    ++counts;
    if (before > 0us) co_await pause_for(before);
    Counted snapshot{version, total()};
    if (after > 0us) co_await pause_for(after);
    co_return snapshot;
  }
};

struct Cached : Loop {
  // With a deadline that a busy machine keeps.
  explicit Cached(const std::string& url, std::chrono::milliseconds deadline = 10s)
      : Loop(redis::Settings{.url = url, .deadline = deadline}), cache(client, "e") {}

  std::int64_t total(std::string_view filter, std::int64_t version, redis::CountFunction count) {
    auto answer = run(context, cache.total({organization, "contacts", filter}, version, std::move(count)));
    turn_until(context, [&] { return client.stats().outstanding == 0; });  // the SET is in
    return answer;
  }
  void outlive_memory() { turn_for(context, 1100ms); }  // of the results that the process itself remembers

  redis::CountCache cache;
};

awaitable<void> ask(redis::CountCache& cache, std::string filter, std::int64_t version, redis::CountFunction count,
                    std::vector<std::int64_t>& out) {
  redis::CountKey key{organization, "contacts", filter};
  auto answer = co_await cache.total(key, version, std::move(count));
  out.push_back(answer);
}

awaitable<void> ask_expecting_failure(redis::CountCache& cache, std::int64_t version, redis::CountFunction count,
                                      int& failures) {
  redis::CountKey key{organization, "contacts", "f"};
  try {
    co_await cache.total(key, version, std::move(count));
  } catch (const std::runtime_error& error) {
    if (std::string(error.what()) == "statement timeout") ++failures;
  }
}

awaitable<Counted> broken_count(int& counts) {
  ++counts;
  co_await pause_for(2ms);
  throw std::runtime_error("statement timeout");
}

}  // namespace

TEST_CASE("count cache: a total is a hit for its very version only") {
  RedisServer server;
  Cached loop(server.url());
  loop.wait_up();
  Store store;
  store.change(5);
  CHECK(loop.total("f", 5, store.counter()) == store.total());
  CHECK(store.counts == 1);
  CHECK(loop.total("f", 5, store.counter()) == store.total());
  CHECK(store.counts == 1);
  CHECK(loop.cache.stats().hits == 1);

  store.change();
  CHECK(loop.total("f", 6, store.counter()) == store.total());
  CHECK(store.counts == 2);
  CHECK(loop.total("g", 6, store.counter()) == store.total());
  CHECK(store.counts == 3);
  CHECK(loop.total("f", 6, store.counter()) == store.total());
  CHECK(store.counts == 3);
  auto stats = loop.cache.stats();
  CHECK(stats.hits == 2);
  CHECK(stats.misses == 3);
  CHECK(stats.bypasses == 0);
  CHECK(stats.counted == 3);

  auto key = redis::count_key("e", {organization, "contacts", "f"});
  CHECK(loop.command({"GET", key}).text == "6:1042");
  auto seconds = loop.command({"TTL", key}).integer;
  CHECK(seconds > 3500);
  CHECK(seconds <= 3600);
}

TEST_CASE("count cache: asked before the version is known") {
  RedisServer server;
  Cached loop(server.url());
  loop.wait_up();
  Store store;
  CHECK(loop.total("f", 0, store.counter()) == 1'000);
  auto lookup = loop.cache.start({organization, "contacts", "f"});
  auto dropped = loop.cache.start({organization, "contacts", "f"});
  turn_until(loop.context, [&] { return loop.client.stats().outstanding == 0; });  // the page's SQL meanwhile
  CHECK(run(loop.context, loop.cache.finish(std::move(lookup), 0, store.counter())) == 1'000);
  CHECK(loop.cache.stats().hits == 1);
  CHECK(store.counts == 1);
}

TEST_CASE("count cache: another replica's total is a hit; another epoch's is none") {
  RedisServer server;
  Cached one(server.url());
  Cached two(server.url());
  one.wait_up();
  two.wait_up();
  Store store;
  store.change(3);
  CHECK(one.total("f", 3, store.counter()) == store.total());
  CHECK(two.total("f", 3, store.counter()) == store.total());
  CHECK(store.counts == 1);

  // The database is restored to an older state and lives on differently: version 3 comes again with other rows.
  Store restored;
  restored.totals = {0, 1, 2, 3};
  restored.version = 3;
  auto lookup = two.cache.start({organization, "contacts", "f"});
  two.cache.renew("after the restore");
  CHECK(run(two.context, two.cache.finish(std::move(lookup), 3, restored.counter())) == 3);
  CHECK(two.total("f", 3, restored.counter()) == 3);
  CHECK(two.total("f", 3, restored.counter()) == 3);
  CHECK(restored.counts == 1);  // asked again under the new epoch, counted and stored there
  CHECK(two.cache.stats().hits == 3);
}

TEST_CASE("count cache: whatever else lies in its key is no total") {
  RedisServer server;
  Cached loop(server.url());
  loop.wait_up();
  Store store;
  store.change(4);
  auto key = redis::count_key("e", {organization, "contacts", "f"});
  int expected = 0;
  loop.command({"LPUSH", key, "4:1"});
  CHECK(loop.total("f", 4, store.counter()) == store.total());
  CHECK(store.counts == ++expected);
  CHECK(loop.cache.stats().bypasses == 1);
  for (std::string_view junk : {"", ":", "4", "4:", "4:x", "4:-1", "4:1 ", "04:1x", "-4:1", "4:99999999999999999999",
                                "3:1", "5:1", "18446744073709551620:1"}) {
    CAPTURE(junk);
    const std::string filter = "f" + std::to_string(expected);  // none that the process remembers
    loop.command({"SET", redis::count_key("e", {organization, "contacts", filter}), junk});
    CHECK(loop.total(filter, 4, store.counter()) == store.total());
    CHECK(store.counts == ++expected);
  }
  CHECK(loop.cache.stats().hits == 0);
  CHECK(loop.total("f1", 4, store.counter()) == store.total());
  CHECK(loop.cache.stats().hits == 1);
}

TEST_CASE("count cache: pages from a primary and a replica in turn, and counts from the other one") {
  RedisServer server;
  Cached loop(server.url());
  loop.wait_up();
  // Both are at version 7, by changes that each shows in another order: other rows are there.
  Store primary, replica;
  primary.change(7);
  replica.change(7);
  replica.totals.back() = 11;
  const auto counted_by = [](Store& store, std::string epoch) -> redis::CountFunction {
    return [&store, epoch]() -> boost::asio::awaitable<redis::Counted> {
      ++store.counts;
      co_return redis::Counted{store.version, store.total(), epoch};
    };
  };
  const auto page = [&](std::string_view epoch, redis::CountFunction count) {
    auto lookup = loop.cache.start({organization, "contacts", "f"});  // for whichever server the last page came from
    loop.cache.renew(epoch);
    return run(loop.context, loop.cache.finish(std::move(lookup), 7, std::move(count)));
  };
  CHECK(page("primary", counted_by(primary, "primary")) == primary.total());
  CHECK(page("replica", counted_by(replica, "replica")) == 11);
  for (int i = 0; i < 3; ++i) {
    CHECK(page("primary", counted_by(primary, "primary")) == primary.total());
    CHECK(page("replica", counted_by(replica, "replica")) == 11);
  }
  CHECK(primary.counts == 1);
  CHECK(replica.counts == 1);
  CHECK(loop.cache.stats().hits == 6);

  // What another server counted is a right answer to this page, and to no other.
  loop.command({"FLUSHALL"});
  CHECK(page("third", counted_by(primary, "primary")) == primary.total());
  CHECK(loop.command({"DBSIZE"}).integer == 0);
  CHECK(page("third", counted_by(replica, "third")) == 11);
}

TEST_CASE("count cache: flushed, killed, and restarted on old data") {
  RedisServer server;
  Cached loop(server.url());
  loop.wait_up();
  Store store;
  CHECK(loop.total("f", 0, store.counter()) == store.total());
  CHECK(server.command("SAVE").starts_with("+OK"));
  store.change(2);
  CHECK(loop.total("f", 2, store.counter()) == store.total());
  server.flush();
  loop.outlive_memory();
  CHECK(loop.total("f", 2, store.counter()) == store.total());
  CHECK(store.counts == 3);

  server.kill();
  loop.wait_down();
  store.change();
  for (int i = 0; i < 3; ++i) CHECK(loop.total("f", 3, store.counter()) == store.total());
  CHECK(store.counts == 4);  // remembered
  loop.outlive_memory();
  CHECK(loop.total("f", 3, store.counter()) == store.total());
  CHECK(store.counts == 5);
  CHECK(loop.cache.stats().bypasses == 4);

  server.start();
  loop.wait_up();
  auto key = redis::count_key("e", {organization, "contacts", "f"});
  REQUIRE(loop.command({"GET", key}).text == "0:1000");
  loop.outlive_memory();
  CHECK(loop.total("f", 3, store.counter()) == store.total());
  CHECK(store.counts == 6);
  CHECK(loop.total("f", 3, store.counter()) == store.total());
  CHECK(store.counts == 6);
}

TEST_CASE("count cache: a thousand misses at once are one count, with Redis and without") {
  RedisServer server;
  Cached loop(server.url(), 200ms);
  loop.wait_up();
  Store store;
  store.change(9);
  const char* how = "served";
  SUBCASE("served") {}
  SUBCASE("killed") {
    how = "killed";
    server.kill();
    loop.wait_down();
  }
  SUBCASE("hung") {
    how = "hung";
    server.pause();
  }
  SUBCASE("full") {
    how = "full";
    server.command("CONFIG SET maxmemory 1");
  }
  CAPTURE(how);
  std::vector<std::int64_t> answers;
  int running = 0;
  for (int i = 0; i < 1000; ++i)
    launch(loop.context, running, ask(loop.cache, "f", 9, store.counter(5ms, 5ms), answers));
  turn_until(loop.context, [&] { return running == 0; });
  CHECK(store.counts == 1);
  REQUIRE(answers.size() == 1000);
  for (auto answer : answers) CHECK(answer == store.total());
  auto stats = loop.cache.stats();
  CHECK(stats.shared == 999);
  CHECK(stats.misses + stats.bypasses == 1000);
  server.resume();
}

TEST_CASE("count cache: a crowd whose count is instant, asking as it trickles in, is one count still") {
  RedisServer server;
  Cached loop(server.url());
  loop.wait_up();
  Store store;
  std::vector<redis::CountCache::Lookup> lookups;
  for (int i = 0; i < 500; ++i) lookups.push_back(loop.cache.start({organization, "contacts", "f"}));
  turn_until(loop.context, [&] { return loop.client.stats().outstanding == 0; });  // all have missed
  for (auto& lookup : lookups)
    CHECK(run(loop.context, loop.cache.finish(std::move(lookup), 0, store.counter())) == 1'000);
  CHECK(store.counts == 1);
}

TEST_CASE("count cache: who comes too late for a count's snapshot waits for the next") {
  RedisServer server;
  Cached loop(server.url());
  loop.wait_up();
  Store store;
  store.change(1);
  std::vector<std::int64_t> early, late;
  int running = 0;
  for (int i = 0; i < 10; ++i) launch(loop.context, running, ask(loop.cache, "f", 1, store.counter(0us, 300ms), early));
  turn_until(loop.context, [&] { return store.counts == 1; });
  auto before = store.total();
  store.change();
  for (int i = 0; i < 10; ++i) launch(loop.context, running, ask(loop.cache, "f", 2, store.counter(0us, 5ms), late));
  turn_until(loop.context, [&] { return running == 0; });
  CHECK(early == std::vector<std::int64_t>(10, before));
  CHECK(late == std::vector<std::int64_t>(10, store.total()));
  CHECK(store.counts == 2);
}

TEST_CASE("count cache: a count made after the page's snapshot may be newer, and serves older pages too") {
  RedisServer server;
  Cached loop(server.url());
  loop.wait_up();
  Store store;
  store.change(5);
  CHECK(loop.total("f", 3, store.counter()) == store.total());
  CHECK(loop.total("f", 4, store.counter()) == store.total());  // remembered
  CHECK(loop.total("f", 5, store.counter()) == store.total());
  CHECK(store.counts == 1);
  // A database that has gone back in time, unknown to us: what it counts is all there is, and nobody waits for ever.
  CHECK(loop.total("f", 50, store.counter()) == store.total());
  CHECK(store.counts == 2);
}

TEST_CASE("count cache: a failing count fails for all who share it, and is tried anew by the next") {
  RedisServer server;
  Cached loop(server.url());
  loop.wait_up();
  int counts = 0, failures = 0, running = 0;
  for (int i = 0; i < 20; ++i)
    launch(loop.context, running,
           ask_expecting_failure(loop.cache, 0, [&counts] { return broken_count(counts); }, failures));
  turn_until(loop.context, [&] { return running == 0; });
  CHECK(failures == 20);
  CHECK(counts == 1);
  Store store;
  CHECK(loop.total("f", 0, store.counter()) == 1'000);
}

TEST_CASE("count cache: when the request that counts is cancelled, another that waits takes over") {
  RedisServer server;
  Cached loop(server.url());
  loop.wait_up();
  Store store;
  std::vector<std::int64_t> cancelled, answers;
  asio::cancellation_signal signal;
  bool ended = false;
  asio::co_spawn(loop.context, ask(loop.cache, "f", 0, store.counter(0us, 20s), cancelled),
                 asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr) { ended = true; }));
  turn_until(loop.context, [&] { return store.counts == 1; });
  int running = 0;
  for (int i = 0; i < 10; ++i) launch(loop.context, running, ask(loop.cache, "f", 0, store.counter(0us, 5ms), answers));
  turn_until(loop.context, [&] { return loop.cache.stats().misses == 11; });
  signal.emit(asio::cancellation_type::terminal);
  turn_until(loop.context, [&] { return running == 0 && ended; });
  CHECK(cancelled.empty());
  CHECK(answers == std::vector<std::int64_t>(10, 1'000));
  CHECK(store.counts == 2);
}

TEST_CASE("count cache: destroyed with its context under a count and those who wait for it") {
  RedisServer server;
  Store store;
  std::vector<std::int64_t> answers;
  int running = 0;
  asio::io_context context{1};
  auto loop = std::make_unique<Cached>(server.url());
  loop->wait_up();
  for (int i = 0; i < 10; ++i)
    launch(loop->context, running, ask(loop->cache, "f", 0, store.counter(0us, 20s), answers));
  turn_until(loop->context, [&] { return loop->cache.stats().misses == 10; });
  loop.reset();
  CHECK(answers.empty());
}

// Readers read a version, then ask for the total, while a writer changes the rows and Redis is flushed, hung, killed
// and fed with old values. Every total must be that of a version no older than the reader's and no newer than now.
TEST_CASE("count cache: two replicas race a writer and a failing Redis, and no total is wrong") {
  RedisServer server;
  redis::Settings settings{.url = server.url()};
  settings.breaker_pause = 20ms;
  settings.hung_after = 100ms;
  settings.connect_deadline = 100ms;
  asio::io_context context{1};
  redis::Client first(context.get_executor(), settings), second(context.get_executor(), settings);
  first.open();
  second.open();
  redis::CountCache caches[] = {redis::CountCache(first, "e"), redis::CountCache(second, "e")};

  Store store;
  unsigned random = 4711;
  auto next = [&] { return (random = random * 1664525u + 1013904223u) >> 16; };
  int running = 0, asked = 0, wrong = 0, newer = 0;
  auto read = [&](redis::CountCache& cache, std::string filter) -> awaitable<void> {
    auto lookup = cache.start({organization, "contacts", filter});
    if (next() % 2) co_await pause_for(std::chrono::microseconds(next() % 3000));
    auto version = store.version;  // the page's snapshot
    if (next() % 2) co_await pause_for(std::chrono::microseconds(next() % 3000));
    auto count = store.counter(std::chrono::microseconds(next() % 2000), std::chrono::microseconds(next() % 4000));
    auto total = co_await cache.finish(std::move(lookup), version, std::move(count));
    ++asked;
    auto counted_at = (total - 1'000) / 7;
    if (counted_at < version || counted_at > store.version) ++wrong;
    if (counted_at > version) ++newer;
  };
  auto write = [&]() -> awaitable<void> {
    for (int i = 0; i < 300; ++i) {
      co_await pause_for(std::chrono::microseconds(next() % 8000));
      store.change(1 + next() % 3);
    }
  };
  launch(context, running, write());
  while (running > 0) {
    for (unsigned i = next() % 40; i > 0; --i)
      launch(context, running, read(caches[next() % 2], next() % 4 ? "hot" : "cold"));
    auto fault = next() % 24;
    if (fault == 0) server.pause();
    if (fault == 1) server.kill();
    if (fault == 2) server.flush();
    if (fault == 3 && store.version > 0) {  // what another, slower replica may still store
      auto old = next() % static_cast<unsigned>(store.version);
      auto value = std::to_string(old) + ":" + std::to_string(store.totals[old]);
      first.start({"SET", redis::count_key("e", {organization, "contacts", "hot"}), value});
    }
    turn_for(context, std::chrono::milliseconds(1 + next() % 10));
    if (fault == 0) server.resume();
    if (fault == 1) {
      server.start();
      turn_until(context, [&] { return first.up() && second.up(); });
    }
    if (store.totals.size() > 1'000) break;
  }
  turn_until(context, [&] { return running == 0; });
  CHECK(wrong == 0);
  CHECK(asked > 500);
  CHECK(newer > 0);
  auto a = caches[0].stats(), b = caches[1].stats();
  CHECK(a.hits + b.hits > 0);
  CHECK(a.bypasses + b.bypasses > 0);
  CHECK(a.shared + b.shared > 0);
  MESSAGE(asked, " asked, ", newer, " newer than their page, hits ", a.hits + b.hits, ", misses ", a.misses + b.misses,
          ", bypasses ", a.bypasses + b.bypasses, ", shared ", a.shared + b.shared, ", counted ",
          a.counted + b.counted);
}
