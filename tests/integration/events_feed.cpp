// The telling half of events: positions, long polls, acknowledgements, pruning.
#include <set>

#include "tests/integration/events_bed.hpp"
#include "tests/support/sql.hpp"

using namespace parley;
using namespace parley::events_tests;

namespace {

// A replica of a service that tells.
struct Teller {
  explicit Teller(const Database& database, events::FeedSettings settings = quick_feed())
      : loop(database.settings()), feed(loop.context(), loop.pool, std::move(settings), quiet()) {
    loop.wait_until_available();
  }
  ~Teller() {
    feed.stop();
    loop.until([this] { return background == 0; });
  }
  void start() { start_beside(loop, feed.run(), background); }
  void append(std::int64_t n) { loop.run(write(loop.pool, number_event(n))); }
  events::FeedPage ask(const std::string& query) { return page_of(loop.run(feed.serve(query))); }
  static awaitable<void> write(pg::Pool& pool, model::RawJson changes) {
    co_await pool.write(pg::Batch(events::outbox::append, changes));
  }

  int background = 0;
  Loop loop;
  events::Feed feed;
};

std::vector<std::int64_t> numbers_of(const events::FeedPage& page) {
  std::vector<std::int64_t> out;
  for (const auto& event : page.events) out.push_back(number_of(event));
  return out;
}

// Reads everything behind a position, page by page, until it has seen so many.
struct Follower {
  std::int64_t position = 0;
  std::multiset<std::int64_t> seen;
};
awaitable<void> follow(events::Feed& feed, Follower& follower, std::size_t enough) {
  while (follower.seen.size() < enough) {
    const auto response =
        co_await feed.serve("consumer=reader&wait=1&limit=9&after=" + std::to_string(follower.position));
    const auto page = page_of(response);
    for (const auto& event : page.events) {
      REQUIRE(event.position > follower.position);
      follower.position = event.position;
      follower.seen.insert(number_of(event));
    }
  }
}

awaitable<void> write_some(pg::Pool& pool, std::int64_t first, std::int64_t count) {
  for (std::int64_t n = first; n < first + count; ++n) {
    auto transaction = co_await pool.begin();
    co_await transaction.run(pg::Batch(events::outbox::append, number_event(n)));
    if (n % 3 == 0) co_await pause_for(std::chrono::milliseconds(n % 7));  // commits in another order than ids
    if (n % 10 == 9) continue;                                             // rolled back: never heard of
    co_await transaction.commit();
  }
}

// As statements of services do that tell what they change.
const pg::Statement insert_and_tell("events_feed.insert_and_tell",
                                    "WITH applied AS (INSERT INTO applied (n, by_whom) VALUES ($1, 0) RETURNING n) "
                                    "INSERT INTO outbox (changes) SELECT jsonb_build_array(jsonb_build_object('type', "
                                    "'number', 'n', n)) FROM applied",
                                    pg::Lane::write, {pg::oid::int8});
const pg::Statement insert_silently("events_feed.insert_silently", "INSERT INTO applied (n, by_whom) VALUES ($1, 0)",
                                    pg::Lane::write, {pg::oid::int8});

awaitable<void> run_and_commit(pg::Pool& pool, pg::Batch batch) {
  auto transaction = co_await pool.begin();
  co_await transaction.run(std::move(batch));
  co_await transaction.run(pg::Batch(insert_silently, 2));
  co_await transaction.commit();
}

awaitable<void> run_and_let_go(pg::Pool& pool, pg::Batch batch) {
  auto transaction = co_await pool.begin();
  co_await transaction.run(std::move(batch));
}

awaitable<void> commit_with_the_last(pg::Pool& pool, pg::Batch batch) {
  auto transaction = co_await pool.begin();
  co_await transaction.run(pg::Batch(insert_silently, 1));
  co_await transaction.commit(std::move(batch));
}

awaitable<void> write_alone(pg::Pool& pool, pg::Batch batch) { co_await pool.write(std::move(batch)); }

// What was thrown, if so.
template <class Error>
awaitable<bool> fails_with(awaitable<void> work) {
  try {
    co_await std::move(work);
  } catch (const Error&) {
    co_return true;
  }
  co_return false;
}

}  // namespace

TEST_SUITE("integration: events feed") {
  TEST_CASE("events come in order, once, with the head and an epoch") {
    const Database database;
    Teller teller(database);
    teller.start();
    for (std::int64_t n = 1; n <= 5; ++n) teller.append(n);
    teller.loop.until([&] { return teller.feed.stats().head == 5; });

    const auto all = teller.ask("consumer=reader&after=0");
    CHECK(numbers_of(all) == std::vector<std::int64_t>{1, 2, 3, 4, 5});
    CHECK(all.head == 5);
    CHECK(all.pruned == 0);
    CHECK(all.epoch.text() == database.execute("SELECT epoch FROM feed"));
    CHECK(numbers_of(teller.ask("after=3&limit=1")) == std::vector<std::int64_t>{4});
    CHECK(teller.ask("after=5").events.empty());
    const auto head = teller.ask("");  // one that follows from now on
    CHECK(head.head == 5);
    CHECK(head.events.empty());
  }

  TEST_CASE("a page holds what fits, but one event always") {
    const Database database;
    Teller teller(database);
    teller.start();
    database.execute(
        "INSERT INTO outbox (changes) SELECT jsonb_agg(repeat('x', 1000)) FROM generate_series(1, 3) n, "
        "generate_series(1, 3000) GROUP BY n");
    teller.loop.until([&] { return teller.feed.stats().head == 3; });
    CHECK(teller.ask("after=0").events.size() == 1);
    CHECK(teller.ask("after=2").events.size() == 1);
  }

  TEST_CASE("a follower that waits hears of an event, one that waits in vain gets an empty page") {
    const Database database;
    Teller teller(database);
    teller.start();
    std::optional<events::FeedPage> heard;
    teller.loop.launch([](events::Feed& feed, std::optional<events::FeedPage>& page) -> awaitable<void> {
      const auto response = co_await feed.serve("consumer=reader&after=0&wait=10");
      page = page_of(response);
    }(teller.feed, heard));
    teller.loop.until([&] { return teller.feed.stats().followers == 1; });
    CHECK_FALSE(heard);
    database.execute("INSERT INTO outbox (changes) VALUES ('[{\"type\":\"number\",\"n\":7}]')");  // another process's
    teller.loop.until([&] { return heard.has_value(); });
    CHECK(numbers_of(*heard) == std::vector<std::int64_t>{7});
    CHECK(teller.ask("consumer=reader&after=1&wait=1").events.empty());
    CHECK(teller.feed.stats().followers == 0);
  }

  TEST_CASE("questions that make no sense are refused") {
    const Database database;
    Teller teller(database);
    for (const char* query : {"consumer=stranger&after=0", "consumer=reader&after=-1", "after=0&limit=0", "after=x",
                              "after=0&wait=-1", "epoch=1&after=0", "afer=0"}) {
      CAPTURE(query);
      CHECK_THROWS_AS(teller.ask(query), http::Problem);
    }
  }

  TEST_CASE("a transaction that commits late is behind those before it, and never skipped") {
    const Database database;
    Teller teller(database);
    teller.start();
    std::optional<pg::Transaction> late;
    teller.loop.run([](pg::Pool& pool, std::optional<pg::Transaction>& transaction) -> awaitable<void> {
      transaction = co_await pool.begin();
      co_await transaction->run(pg::Batch(events::outbox::append, number_event(1)));  // has the lower id
    }(teller.loop.pool, late));
    teller.append(2);
    teller.loop.until([&] { return teller.feed.stats().head == 1; });
    CHECK(numbers_of(teller.ask("after=0")) == std::vector<std::int64_t>{2});
    teller.loop.run(late->commit());
    teller.loop.until([&] { return teller.feed.stats().head == 2; });
    CHECK(numbers_of(teller.ask("after=1")) == std::vector<std::int64_t>{1});
  }

  TEST_CASE("a commit wakes the feed by itself, whatever the transaction is made of") {
    std::function<void(Teller&)> tell;
    SUBCASE("one batch") {
      tell = [](Teller& teller) { teller.append(1); };
    }
    SUBCASE("a statement that tells what it changes") {
      tell = [](Teller& teller) { teller.loop.run(write_alone(teller.loop.pool, pg::Batch(insert_and_tell, 1))); };
    }
    SUBCASE("not in its last batch") {
      tell = [](Teller& teller) {
        teller.loop.run(run_and_commit(teller.loop.pool, pg::Batch(events::outbox::append, number_event(1))));
      };
    }
    SUBCASE("in its last batch") {
      tell = [](Teller& teller) {
        teller.loop.run(commit_with_the_last(teller.loop.pool, pg::Batch(events::outbox::append, number_event(1))));
      };
    }
    // By itself the feed looks after 2, 6, ... and 2046 ms, and then after 4094. A machine that stood still meanwhile
    // tells nothing: then it is tried again.
    bool was_woken = false;
    for (int i = 0; i < 10 && !was_woken; ++i) {
      const Database database;
      auto settings = quick_feed();
      settings.max_pause = settings.longest_pause_followed = settings.measuring_pause = settings.housekeeping_pause =
          1h;
      Teller teller(database, settings);
      const auto started = std::chrono::steady_clock::now();
      teller.start();
      teller.loop.run_for(2'500ms);
      tell(teller);
      teller.loop.until([&] { return teller.feed.stats().head == 1; });
      was_woken = std::chrono::steady_clock::now() - started < 4s;
    }
    CHECK(was_woken);
  }

  TEST_CASE("a pool says when something may have been published, and only then") {
    const Database database;
    auto settings = database.settings();
    settings.write_deadline = 200ms;
    Loop loop(settings);
    loop.wait_until_available();
    int published = 0;
    loop.pool.on_publish([&] { ++published; });
    loop.run(write_alone(loop.pool, pg::Batch(insert_silently, 1)));
    loop.run(run_and_let_go(loop.pool, pg::Batch(events::outbox::append, number_event(1))));
    CHECK(loop.run(fails_with<pg::SqlError>(write_alone(loop.pool, pg::Batch(insert_and_tell, 1'000'000'000)))));
    CHECK(published == 0);
    loop.run(write_alone(loop.pool, pg::Batch(insert_silently, 3)));  // on the connection of those that failed, too
    CHECK(published == 0);
    loop.run(commit_with_the_last(loop.pool, pg::Batch(insert_and_tell, 4)));
    CHECK(published == 1);
    // A COMMIT that is not answered: it waits for a lock, which somebody has.
    database.execute(
        "CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;"
        "CREATE CONSTRAINT TRIGGER stalls AFTER INSERT ON applied DEFERRABLE INITIALLY DEFERRED FOR EACH ROW "
        "EXECUTE FUNCTION stall()");
    support::Sql holder(database.url());
    holder.value("SELECT pg_advisory_lock(1)");
    CHECK(loop.run(fails_with<pg::OutcomeUnknown>(write_alone(loop.pool, pg::Batch(insert_and_tell, 5)))));
    CHECK(published == 2);
    holder.value("SELECT pg_advisory_unlock(1)");
  }

  TEST_CASE("what waits for a position is counted, as long as it waits") {
    const Database database;
    auto settings = quick_feed();
    settings.measuring_pause = 10ms;
    Teller teller(database, settings);
    std::optional<pg::Transaction> other;  // a replica that orders, and hangs
    teller.loop.run([](pg::Pool& pool, std::optional<pg::Transaction>& transaction) -> awaitable<void> {
      transaction = co_await pool.begin();
      co_await transaction->run(pg::Batch(events::outbox::lock_sequencer));
    }(teller.loop.pool, other));
    teller.start();
    teller.append(1);
    teller.append(2);
    teller.loop.until([&] { return teller.feed.stats().pending == 2; });
    const auto oldest = teller.feed.stats().oldest_pending;
    REQUIRE(oldest);
    CHECK(oldest->milliseconds_since_epoch > 1'600'000'000'000);
    CHECK(teller.feed.stats().head == 0);
    other.reset();
    teller.loop.until([&] { return teller.feed.stats().head == 2 && teller.feed.stats().pending == 0; });
    CHECK_FALSE(teller.feed.stats().oldest_pending);
  }

  TEST_CASE("a count that fails keeps no event from its position") {
    const Database database;
    Teller teller(database);
    database.execute("ALTER TABLE outbox RENAME COLUMN created_at TO made_at");  // which the others do not need
    teller.start();
    teller.append(1);
    teller.loop.until([&] { return teller.feed.stats().head == 1; });
    CHECK(teller.feed.stats().failures >= 1);
    CHECK(teller.feed.stats().pending == 0);
  }

  TEST_CASE("three replicas that write and order at once give each event one position, and a follower misses none") {
    const Database database;
    Teller one(database), two(database), three(database);
    Follower follower;
    constexpr std::int64_t writers = 4, each = 60;
    constexpr std::size_t committed = writers * each * 9 / 10;
    const std::array<Teller*, 3> tellers{&one, &two, &three};
    for (auto* teller : tellers) teller->start();
    for (std::int64_t writer = 0; writer < writers; ++writer) {
      auto& teller = *tellers[static_cast<std::size_t>(writer) % 2];  // the third one only reads
      teller.loop.launch(write_some(teller.loop.pool, writer * each, each));
    }
    bool over = false;
    boost::asio::co_spawn(three.loop.context(), follow(three.feed, follower, committed), [&](std::exception_ptr error) {
      over = true;
      if (error) std::rethrow_exception(error);
    });
    const auto limit = std::chrono::steady_clock::now() + 60s;
    while (!over && std::chrono::steady_clock::now() < limit)
      for (auto* teller : tellers) {
        teller->loop.context().restart();
        teller->loop.context().run_for(2ms);
      }
    REQUIRE(over);
    CHECK(follower.seen.size() == committed);
    CHECK(std::set(follower.seen.begin(), follower.seen.end()).size() == committed);
    CHECK(database.number("SELECT count(DISTINCT position) FROM outbox") == committed);
    CHECK(database.number("SELECT max(position) FROM outbox") == committed);
    CHECK(database.number("SELECT head FROM feed") == committed);
  }

  TEST_CASE("what all consumers have acknowledged is pruned, and nothing else") {
    const Database database;
    auto settings = quick_feed({"reader", "other"});
    settings.max_pruned = 3;  // several batches
    Teller teller(database, settings);
    teller.start();
    for (std::int64_t n = 1; n <= 20; ++n) teller.append(n);
    teller.loop.until([&] { return teller.feed.stats().head == 20; });
    const auto epoch = database.execute("SELECT epoch FROM feed");

    teller.ask("consumer=reader&after=15&epoch=" + epoch);
    teller.loop.until([&] { return database.number("SELECT max(acknowledged) FROM feed_consumer") == 15; });
    CHECK(database.number("SELECT count(*) FROM outbox") == 20);  // the other one has not read anything
    teller.ask("consumer=other&after=10&epoch=" + epoch);
    teller.loop.until([&] { return database.number("SELECT count(*) FROM outbox") == 10; });
    CHECK(database.number("SELECT min(position) FROM outbox") == 11);
    teller.loop.until([&] { return teller.feed.stats().pruned == 10; });
    CHECK(teller.ask("after=10").pruned == 10);

    // Neither of another epoch, nor beyond the head, nor without a name.
    teller.ask("consumer=other&after=15&epoch=00000000-0000-7000-8000-000000000000");
    teller.ask("consumer=other&after=15");
    teller.ask("consumer=other&after=900&epoch=" + epoch);
    teller.ask("after=15&epoch=" + epoch);
    teller.append(21);
    teller.loop.until([&] { return teller.feed.stats().head == 21; });
    teller.loop.run(pause_for(100ms));  // some housekeeping
    CHECK(database.number("SELECT min(position) FROM outbox") == 11);
  }

  TEST_CASE("what is past the retention goes though nobody has read it; what has no position yet stays") {
    const Database database;
    Teller teller(database);
    database.execute("INSERT INTO outbox (changes, created_at) VALUES ('[]', now() - interval '8 days')");
    database.execute("INSERT INTO outbox (changes) VALUES ('[]')");
    teller.start();
    teller.loop.until([&] { return teller.feed.stats().pruned == 1; });
    CHECK(teller.feed.stats().head == 2);
    CHECK(database.number("SELECT min(position) FROM outbox") == 2);
  }

  TEST_CASE("what was acknowledged is kept for a while, for those who read without a name") {
    auto settings = quick_feed();
    settings.min_age = 10min;
    const Database database;
    Teller teller(database, settings);
    teller.start();
    for (std::int64_t n = 1; n <= 5; ++n) teller.append(n);
    teller.loop.until([&] { return teller.feed.stats().head == 5; });
    teller.ask("consumer=reader&after=4&epoch=" + database.execute("SELECT epoch FROM feed"));
    // Ages are not in the order of positions: nothing goes before what is in front of it.
    database.execute("UPDATE outbox SET created_at = now() - interval '11 minutes' WHERE position IN (1, 2, 4, 5)");
    teller.loop.until([&] { return teller.feed.stats().pruned == 2; });
    database.execute("UPDATE outbox SET created_at = now() - interval '11 minutes'");
    teller.loop.until([&] { return teller.feed.stats().pruned == 4; });  // the fifth was not acknowledged
    CHECK(numbers_of(teller.ask("after=4")) == std::vector<std::int64_t>{5});
  }

  TEST_CASE("positions go on where they were though everything was pruned") {
    const Database database;
    Teller teller(database);
    teller.start();
    teller.append(1);
    teller.loop.until([&] { return teller.feed.stats().head == 1; });
    teller.ask("consumer=reader&after=1&epoch=" + database.execute("SELECT epoch FROM feed"));
    teller.loop.until([&] { return database.number("SELECT count(*) FROM outbox") == 0; });
    teller.append(2);
    teller.loop.until([&] { return teller.feed.stats().head == 2; });
    CHECK(teller.ask("after=1").events.front().position == 2);
  }
}
