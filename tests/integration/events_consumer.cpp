// The following half of events: each applied once, whatever happens to whom.
#include <atomic>
#include <thread>

#include "tests/integration/events_bed.hpp"
#include "tests/support/loop.hpp"

using namespace parley;
using namespace parley::events_tests;

namespace {

awaitable<http::ClientResponse> ask_directly(events::Feed& feed, http::ClientRequest request) {
  const auto response = co_await feed.serve(request.target.substr(request.target.find('?') + 1));
  co_return http::ClientResponse{response.status, response.body};
}

// A feed and consumers of it in one process, each half with a database of its own.
struct Pair {
  explicit Pair(int consumers_ = 1)
      : writer(told.settings()), feed(writer.context(), writer.pool, quick_feed(), quiet()), reader(heard.settings()) {
    writer.wait_until_available();
    reader.wait_until_available();
    for (int i = 0; i < consumers_; ++i) add_consumer(i);
  }
  ~Pair() {
    feed.stop();
    for (auto& consumer : consumers) consumer->stop();
    until([&] { return writer.running == 0 && reader.running == 0; });
  }
  void add_consumer(int whom) {
    auto work = recording_work(whom);
    work.ask = [this](http::ClientRequest request) { return ask(std::move(request)); };
    work.report = [this](std::string_view what) { reports.emplace_back(what); };
    if (change_work) change_work(work);
    consumers.push_back(std::make_unique<events::Consumer>(reader.context(), reader.pool, quick_consumer(), work));
  }
  // The feed runs on the writer's loop, the consumer on the reader's.
  awaitable<http::ClientResponse> ask(http::ClientRequest request) {
    if (away) throw std::runtime_error("nobody answers");
    std::optional<http::ClientResponse> response;
    std::exception_ptr error;
    boost::asio::co_spawn(writer.context(), ask_directly(feed, std::move(request)),
                          [&](std::exception_ptr thrown, http::ClientResponse answer) {
                            error = thrown;
                            response = std::move(answer);
                          });
    while (!response) co_await pause_for(1ms);
    if (error) std::rethrow_exception(error);
    co_return std::move(*response);
  }
  void start() {
    writer.launch(feed.run());
    for (auto& consumer : consumers) reader.launch(consumer->run());
  }
  void until(const std::function<bool()>& condition) {
    support::wait_until(condition, [&] {
      for (auto* loop : {&writer, &reader}) {
        loop->context().restart();
        loop->context().run_for(2ms);
      }
    });
  }
  void append(std::int64_t first, std::int64_t last) {
    told.execute(
        "INSERT INTO outbox (changes) SELECT jsonb_build_array(jsonb_build_object('type', 'number', 'n', n)) "
        "FROM generate_series(" +
        std::to_string(first) + ", " + std::to_string(last) + ") n");
  }
  std::int64_t applied() { return heard.number("SELECT count(*) FROM applied"); }
  std::int64_t distinct() { return heard.number("SELECT count(DISTINCT n) FROM applied"); }

  Database told, heard;
  Loop writer;
  events::Feed feed;
  Loop reader;
  bool away = false;
  std::vector<std::string> reports;
  std::function<void(events::ConsumerWork&)> change_work;
  std::vector<std::unique_ptr<events::Consumer>> consumers;
};

}  // namespace

TEST_SUITE("integration: events consumer") {
  TEST_CASE("what is told is applied once, and acknowledged") {
    Pair pair;
    pair.start();
    pair.append(1, 50);
    pair.until([&] { return pair.applied() == 50; });
    CHECK(pair.distinct() == 50);
    pair.append(51, 60);
    pair.until([&] { return pair.applied() == 60; });
    CHECK(pair.heard.number("SELECT position FROM feed_cursor WHERE producer = 'writer'") == 60);
    pair.until([&] { return pair.told.number("SELECT count(*) FROM outbox") == 0; });  // acknowledged and pruned
    CHECK(pair.consumers[0]->stats().applied == 60);
    CHECK(pair.consumers[0]->stats().broken.empty());
  }

  TEST_CASE("three replicas apply each event once between them") {
    Pair pair(3);
    pair.start();
    for (std::int64_t i = 0; i < 10; ++i) {
      pair.append(i * 20, i * 20 + 19);
      pair.until([&] { return pair.applied() >= (i + 1) * 20; });
    }
    CHECK(pair.applied() == 200);
    CHECK(pair.distinct() == 200);
  }

  TEST_CASE("events that cannot be applied are set aside alone, and tried again at the next start") {
    Pair pair;
    pair.start();
    pair.append(1, 3);
    pair.append(2'000'000'000, 2'000'000'000);  // the table refuses it
    pair.append(4, 5);
    pair.told.execute("INSERT INTO outbox (changes) VALUES ('[{\"type\":\"number\"}]')");  // the program does
    pair.append(6, 20);
    pair.until([&] { return pair.applied() == 20; });
    CHECK(pair.distinct() == 20);
    CHECK(pair.heard.number("SELECT count(*) FROM parked_event") == 2);
    CHECK(pair.heard.number("SELECT count(*) FROM parked_event WHERE error LIKE '%23514%' AND position = 4") == 1);
    CHECK(pair.consumers[0]->stats().parked == 2);

    pair.heard.execute("ALTER TABLE applied DROP CONSTRAINT applied_n_check");
    pair.add_consumer(1);
    pair.reader.launch(pair.consumers.back()->run());
    pair.until([&] { return pair.heard.number("SELECT count(*) FROM parked_event") == 1; });
    CHECK(pair.applied() == 21);
    CHECK(pair.heard.number("SELECT count(*) FROM applied WHERE n = 2000000000") == 1);
    pair.until([&] { return pair.consumers.back()->stats().parked == 1; });
  }

  TEST_CASE("why an event is set aside is kept as text, wherever it is cut") {
    Pair pair;
    pair.heard.execute(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', "
        "repeat('x', NEW.n::int) || repeat(chr(8364), 300) USING ERRCODE = '23514'; END $$");
    pair.heard.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON applied FOR EACH ROW WHEN (NEW.n <= 3) EXECUTE FUNCTION refuse()");
    pair.start();
    pair.append(1, 5);
    pair.until([&] { return pair.applied() == 2; });
    CHECK(pair.heard.number("SELECT count(*) FROM parked_event WHERE error LIKE '%' || chr(8364)") == 3);
  }

  TEST_CASE("events that were set aside are tried again at an operator's word, while others come without end") {
    Pair pair;
    pair.start();
    pair.append(1, 3);
    pair.append(2'000'000'000, 2'000'000'001);  // the table refuses them
    pair.until([&] { return pair.heard.number("SELECT count(*) FROM parked_event") == 2; });
    const auto replay = [&](std::optional<std::string> id) {
      Loop loop(pair.heard.settings());
      loop.wait_until_available();
      loop.run([&]() -> awaitable<void> {
        const auto done = co_await loop.pool.write(pg::Batch(events::inbox::replay_parked, id, std::int64_t{100}));
        CHECK(done.affected() == (id ? 1 : 2));
      }());
    };
    pair.heard.execute("UPDATE parked_event SET error = 'an old one'");
    replay("writer/4");
    pair.until([&] { return pair.heard.number("SELECT count(*) FROM parked_event WHERE error = 'an old one'") == 1; });
    CHECK(pair.heard.number("SELECT count(*) FROM parked_event WHERE due_at IS NOT NULL") == 0);  // still bad

    pair.heard.execute("ALTER TABLE applied DROP CONSTRAINT applied_n_check");
    replay(std::nullopt);
    std::int64_t n = 10;
    pair.until([&] {
      pair.append(n, n);
      ++n;
      return pair.heard.number("SELECT count(*) FROM parked_event") == 0;
    });
    pair.until([&] { return pair.applied() == n - 10 + 5; });
    CHECK(pair.distinct() == pair.applied());
    pair.until([&] { return pair.consumers[0]->stats().parked == 0; });
  }

  TEST_CASE("what was set aside is not tried again while another replica reads a snapshot, which has it too") {
    Pair pair;
    pair.start();
    pair.append(1, 3);
    pair.append(2'000'000'000, 2'000'000'000);  // the table refuses it
    pair.until([&] { return pair.heard.number("SELECT count(*) FROM parked_event") == 1; });
    pair.heard.execute("ALTER TABLE applied DROP CONSTRAINT applied_n_check");
    std::atomic<bool> over = false;
    const std::jthread other([&] {
      pair.heard.execute(
          "BEGIN; SELECT FROM feed_cursor FOR UPDATE; DELETE FROM applied; SELECT pg_sleep(3); "
          "INSERT INTO applied VALUES (1, 9), (2, 9), (3, 9), (2000000000, 9); DELETE FROM parked_event; COMMIT");
      over = true;
    });
    pair.until([&] {
      return pair.heard.number(
                 "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = "
                 "current_database()") == 1;
    });
    pair.heard.execute("UPDATE parked_event SET due_at = now()");
    pair.until([&] { return over.load(); });
    pair.append(4, 4);
    pair.until([&] { return pair.heard.number("SELECT count(*) FROM applied WHERE n = 4") == 1; });
    CHECK(pair.applied() == 5);
    CHECK(pair.distinct() == 5);
  }

  TEST_CASE("what was set aside and takes too long when it is tried again does not stop its feed") {
    Pair pair;
    pair.start();
    pair.append(1, 3);
    pair.append(2'000'000'000, 2'000'000'000);  // the table refuses it
    pair.until([&] { return pair.heard.number("SELECT count(*) FROM parked_event") == 1; });
    pair.heard.execute(
        "ALTER TABLE applied DROP CONSTRAINT applied_n_check; CREATE FUNCTION take_too_long() RETURNS trigger LANGUAGE "
        "plpgsql AS $$ BEGIN RAISE 'too slow' USING ERRCODE = '57014'; END $$; CREATE TRIGGER slow BEFORE INSERT ON "
        "applied FOR EACH ROW WHEN (NEW.n >= 1000000000) EXECUTE FUNCTION take_too_long(); "
        "UPDATE parked_event SET due_at = now()");
    pair.until([&] {
      return pair.heard.number("SELECT count(*) FROM parked_event WHERE due_at IS NULL AND error LIKE '%57014%'") == 1;
    });
    pair.append(4, 20);
    pair.until([&] { return pair.applied() == 20; });
    CHECK(pair.distinct() == 20);
    CHECK(pair.consumers[0]->stats().failures == 0);
  }

  TEST_CASE("a feed with a new epoch forgets what was acknowledged, and cursors that were let go are read from there") {
    Pair pair;
    pair.change_work = [](events::ConsumerWork& work) {
      work.dropped = events::Dropped::applied;
      work.forget = [](pg::Transaction&) -> awaitable<void> { co_return; };
    };
    pair.consumers.clear();
    pair.add_consumer(0);
    pair.append(1, 20);
    pair.start();
    pair.until([&] { return pair.applied() == 20 && pair.told.number("SELECT pruned FROM feed") == 20; });
    const auto write = [](const Database& database, pg::Batch batch) {
      Loop loop(database.settings());
      loop.wait_until_available();
      loop.run([&]() -> awaitable<void> { co_await loop.pool.write(std::move(batch)); }());
    };
    // The consumer's database is an older one: it has missed what the feed has dropped.
    pair.heard.execute("UPDATE feed_cursor SET position = 5");
    pair.until([&] { return !pair.consumers[0]->stats().broken.empty(); });
    write(pair.heard, pg::Batch(events::inbox::let_go, "another"));
    pair.append(21, 30);
    pair.consumers[0]->stop();
    pair.until([&] { return pair.reader.running == 0; });
    pair.add_consumer(1);
    pair.reader.launch(pair.consumers.back()->run());
    pair.until([&] { return pair.applied() == 30; });
    CHECK(pair.distinct() == 30);

    const auto epoch = pair.told.execute("SELECT epoch FROM feed");
    pair.told.execute("UPDATE feed_consumer SET acknowledged = 1000");
    write(pair.told, pg::Batch(events::outbox::begin_epoch));
    CHECK(pair.told.execute("SELECT epoch FROM feed") != epoch);
    CHECK(pair.told.number("SELECT acknowledged FROM feed_consumer") <= 30);
    pair.append(31, 35);
    pair.until([&] { return pair.heard.number("SELECT count(*) FROM applied WHERE n > 30") == 5; });
  }

  TEST_CASE("what fails for another reason than its data is tried until it works") {
    Pair pair;
    pair.heard.execute("ALTER TABLE applied RENAME TO applied_later");
    pair.start();
    pair.append(1, 10);
    pair.until([&] { return pair.consumers[0]->stats().failures >= 3; });
    CHECK(pair.heard.number("SELECT count(*) FROM parked_event") == 0);
    CHECK(pair.heard.number("SELECT position FROM feed_cursor") == 0);
    pair.heard.execute("ALTER TABLE applied_later RENAME TO applied");
    pair.until([&] { return pair.applied() == 10; });
    CHECK(pair.distinct() == 10);
  }

  TEST_CASE("a producer that is away is asked until it answers") {
    Pair pair;
    pair.away = true;
    pair.start();
    pair.append(1, 10);
    pair.until([&] { return pair.consumers[0]->stats().failures >= 3; });
    pair.away = false;
    pair.until([&] { return pair.applied() == 10; });
    CHECK(pair.distinct() == 10);
  }

  TEST_CASE("a feed of another epoch that has everything is read from its beginning") {
    Pair pair;
    pair.heard.execute("INSERT INTO feed_cursor VALUES ('writer', gen_random_uuid(), 3)");
    pair.heard.execute("INSERT INTO applied VALUES (900, 0)");
    pair.heard.execute("INSERT INTO parked_event VALUES ('writer', gen_random_uuid(), 1, '[]', 'old')");
    pair.append(1, 10);
    pair.start();
    pair.until([&] { return pair.applied() == 10; });
    CHECK(pair.distinct() == 10);  // 900 was of a world that is gone
    CHECK(pair.consumers[0]->stats().rebuilds == 1);
    CHECK(pair.heard.number("SELECT count(*) FROM parked_event") == 0);
  }

  TEST_CASE("a cursor beyond the head is one of another world too") {
    Pair pair;
    pair.append(1, 10);
    pair.heard.execute("INSERT INTO feed_cursor VALUES ('writer', '" + pair.told.execute("SELECT epoch FROM feed") +
                       "', 850)");
    pair.start();
    pair.until([&] { return pair.applied() == 10; });
    CHECK(pair.consumers[0]->stats().rebuilds == 1);
  }

  TEST_CASE("a feed that has dropped what was never read is not followed, and that is said") {
    Pair pair;
    pair.told.execute("UPDATE feed SET head = 100, pruned = 90");
    pair.start();
    pair.append(1, 10);
    pair.until([&] { return !pair.consumers[0]->stats().broken.empty(); });
    CHECK(pair.applied() == 0);
    CHECK(pair.consumers[0]->stats().broken.find("the feed has 90 to") != std::string::npos);
    CHECK(pair.reports.size() >= 1);
  }

  TEST_CASE("a consumer that makes up for what a feed has dropped follows it from where it begins") {
    Pair pair;
    pair.change_work = [](events::ConsumerWork& work) { work.dropped = events::Dropped::made_up; };
    pair.consumers.clear();
    pair.add_consumer(0);
    pair.heard.execute("INSERT INTO applied VALUES (900, 0)");
    pair.told.execute("UPDATE feed SET head = 100, pruned = 90");
    pair.start();
    pair.append(1, 10);
    pair.until([&] { return pair.applied() == 10; });
    CHECK(pair.distinct() == 10);  // 900 was undone
    CHECK(pair.heard.number("SELECT position FROM feed_cursor") == 110);
    CHECK(pair.consumers[0]->stats().rebuilds == 1);
  }

  TEST_CASE("what was applied stays good: a restored feed goes on from it, unless more is gone than was applied") {
    for (const int applied : {95, 89}) {
      Pair pair;
      pair.change_work = [](events::ConsumerWork& work) {
        work.dropped = events::Dropped::applied;
        work.forget = [](pg::Transaction&) -> awaitable<void> { co_return; };
      };
      pair.consumers.clear();
      pair.add_consumer(0);
      pair.heard.execute("INSERT INTO feed_cursor VALUES ('writer', gen_random_uuid(), " + std::to_string(applied) +
                         ")");
      pair.told.execute("UPDATE feed SET head = 92, pruned = 90");
      pair.start();
      pair.append(1, 10);
      auto& stats = pair.consumers[0]->stats();
      pair.until([&] { return pair.applied() == 10 || !stats.broken.empty(); });
      CHECK(stats.broken.empty() == (applied == 95));
    }
  }
}
