// Either half killed at any moment, over real HTTP: nothing is lost, nothing is applied twice.
#include <random>

#include "tests/integration/events_children.hpp"
#include "tests/support/loopback.hpp"

using namespace parley;
using namespace parley::events_tests;

namespace {

const pg::Statement insert_item("tests.events.insert_item", "INSERT INTO item DEFAULT VALUES RETURNING n",
                                pg::Lane::write, {}, pg::Statement::Kind::unlisted);

awaitable<void> write_items(pg::Pool& pool, events::Feed& feed) {
  for (;;) {
    try {
      auto transaction = co_await pool.begin();
      const auto made = co_await transaction.run(pg::Batch(insert_item));
      co_await transaction.commit(pg::Batch(events::outbox::append, number_event(made.one<std::int64_t>())));
      feed.notify();
    } catch (const pg::Unavailable&) {
      // At the start: there is no connection yet.
    }
    co_await pause_for(500us);
  }
}

void tell(const Database& database, int port, bool writing) {
  Loop loop(database.settings());
  events::Feed feed(loop.context(), loop.pool, quick_feed(), quiet());
  FeedServer server(loop, feed, port);
  loop.launch(feed.run());
  for (int i = 0; writing && i < 4; ++i) loop.launch(write_items(loop.pool, feed));
  loop.context().run();
}

void listen(const Database& database, int port, int whom) {
  Loop loop(database.settings());
  http::DeadlineSweeper wheel(loop.context());
  http::Client client(loop.context(), wheel, {.url = "http://127.0.0.1:" + std::to_string(port), .tls_ca_file = {}});
  auto work = recording_work(whom);
  work.ask = [&](http::ClientRequest request) { return client.send(std::move(request)); };
  events::Consumer consumer(loop.context(), loop.pool, quick_consumer(), work);
  loop.launch(consumer.run());
  loop.context().run();
}

// Whether a table gets further rows, three at least.
bool goes_on(const Database& database, const std::string& table) {
  const auto rows = [&] { return database.number("SELECT count(*) FROM " + table); };
  const auto enough = rows() + 3;
  const auto limit = std::chrono::steady_clock::now() + 60s;
  while (rows() < enough && std::chrono::steady_clock::now() < limit) std::this_thread::sleep_for(5ms);
  return rows() >= enough;
}

}  // namespace

TEST_SUITE("integration: events killed") {
  TEST_CASE("whoever is killed, whenever: every event is applied once") {
    const Database told, heard;
    told.execute("CREATE TABLE item (n bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY)");
    const int port = support::free_port();
    std::mt19937 random(20260131);
    auto pick = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
    {
      std::vector<std::unique_ptr<Child>> children;
      children.push_back(std::make_unique<Child>([&] { tell(told, port, true); }));
      for (int whom = 0; whom < 2; ++whom)
        children.push_back(std::make_unique<Child>([&, whom] { listen(heard, port, whom); }));
      for (int round = 0; round < 40; ++round) {
        REQUIRE(goes_on(told, "item"));
        REQUIRE(goes_on(heard, "applied"));
        std::this_thread::sleep_for(std::chrono::milliseconds(pick(150)));
        auto& child = *children[static_cast<std::size_t>(pick(2))];
        child.kill();
        child.start();
      }
    }
    const Child teller([&] { tell(told, port, false); });
    const Child listener([&] { listen(heard, port, 2); });
    const auto written = told.number("SELECT count(*) FROM item");
    CHECK(written > 100);
    const auto limit = std::chrono::steady_clock::now() + 60s;
    while (heard.number("SELECT count(*) FROM applied") < written && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(10ms);
    CHECK(heard.number("SELECT count(*) FROM applied") == written);
    CHECK(heard.number("SELECT count(DISTINCT n) FROM applied") == written);
    CHECK(heard.number("SELECT count(DISTINCT by_whom) FROM applied") >= 2);
    CHECK(heard.number("SELECT position FROM feed_cursor") == told.number("SELECT head FROM feed"));
    MESSAGE(written << " events, 40 kills");
  }

  TEST_CASE("a database that is killed under both") {
    support::PostgresServer server({"fsync = on", "max_connections = 100"});
    auto url = [&](const char* name) { return server.url("postgres", name); };
    for (const char* name : {"told", "heard"}) {
      server.execute("CREATE DATABASE " + std::string(name));
      support::execute(url(name), read_text("common/events/outbox.sql"));
      support::execute(url(name), read_text("common/events/functions.sql"));
      support::execute(url(name), read_text("common/events/inbox.sql"));
      support::execute(url(name), "CREATE TABLE applied (n bigint NOT NULL, by_whom int NOT NULL)");
    }
    pg::Settings tells, hears;
    tells.url = url("told");
    hears.url = url("heard");
    Loop loop(tells);
    pg::Pool heard(loop.context(), hears);
    heard.start();
    events::Feed feed(loop.context(), loop.pool, quick_feed(), quiet());
    auto work = recording_work(0);
    work.ask = [&](http::ClientRequest request) -> awaitable<http::ClientResponse> {
      const auto response = co_await feed.serve(request.target.substr(request.target.find('?') + 1));
      co_return http::ClientResponse{response.status, response.body};
    };
    events::Consumer consumer(loop.context(), heard, quick_consumer(), work);
    loop.wait_until_available();
    int background = 0;
    start_beside(loop, feed.run(), background);
    start_beside(loop, consumer.run(), background);

    for (int round = 0; round < 3; ++round) {
      support::execute(
          url("told"),
          "INSERT INTO outbox (changes) SELECT jsonb_build_array(jsonb_build_object('type', 'number', 'n', n)) "
          "FROM generate_series(" +
              std::to_string(round * 200 + 1) + ", " + std::to_string(round * 200 + 200) + ") n");
      const auto before = consumer.stats().position;
      loop.until([&] { return consumer.stats().position > before; });  // somewhere in the middle
      server.kill();
      loop.run(pause_for(50ms));
      server.start();
    }
    loop.until([&] { return consumer.stats().position == 600; });
    CHECK(support::execute(url("heard"), "SELECT count(*) FROM applied") == "600");
    CHECK(support::execute(url("heard"), "SELECT count(DISTINCT n) FROM applied") == "600");
    feed.stop();
    consumer.stop();
    loop.until([&] { return background == 0; });
  }
}
