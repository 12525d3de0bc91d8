// The rollups under what befalls those who follow a feed: killed at any moment, a feed that begins anew, that was
// restored from a backup, that has dropped what was not read.
#include <thread>

#include "tests/integration/analytics_bed.hpp"
#include "tests/integration/events_children.hpp"

using namespace parley;
using namespace parley::analytics_tests;

namespace {

constexpr std::int64_t kFirst = 1'760'000'000'000, kDay = 86'400'000;

std::vector<events::Event> history(unsigned seed, int steps) {
  History history(seed, kFirst, kDay);
  history.run(steps);
  return history.events;
}

// Told in this database, which is the one that analytics has too.
void tell(const Database& database, std::span<const events::Event> events) {
  std::string sql;
  for (const auto& event : events) sql += "INSERT INTO outbox (changes) VALUES ('" + event.changes.text + "');\n";
  database.execute("BEGIN; " + sql + "COMMIT");
}

// Both halves on one loop.
struct Following {
  explicit Following(Loop& loop_) : loop(loop_), feed(loop.context(), loop.pool, quiet_feed(), quiet()) {
    start_beside(loop, feed.run(), running);
    start_beside(loop, consumer.run(), running);
  }
  ~Following() {
    feed.stop();
    consumer.stop();
    loop.until([this] { return running == 0; });
  }
  // Pruning is the tests' own.
  static events::FeedSettings quiet_feed() {
    auto settings = quick_feed({"analytics"});
    settings.least_age = std::chrono::hours(1);
    return settings;
  }
  static events::ConsumerSettings settings() {
    auto settings = quick_consumer();
    settings.name = "analytics";
    settings.producer = "conversations";
    settings.limit = 3;
    return settings;
  }
  Loop& loop;
  events::Feed feed;
  events::Consumer consumer{loop.context(),
                            loop.pool,
                            settings(),
                            {.ask = [this](http::ClientRequest request) -> awaitable<http::ClientResponse> {
                               const auto query = request.target.substr(request.target.find('?') + 1);
                               const auto response = co_await feed.serve(query);
                               co_return http::ClientResponse{response.status, response.body};
                             },
                             .apply = analytics::rollups::apply_conversations,
                             .forget = analytics::rollups::forget_conversations,
                             .report = quiet(),
                             .dropped = events::Dropped::made_up}};
  int running = 0;
};

void follow_to(Bed& bed, std::int64_t position) {
  Following following(bed.loop);
  bed.loop.until([&] { return following.consumer.stats().position == position; });
}

std::optional<model::Timestamp> exact_from(Bed& bed) {
  const Span span{{kFirst}, {kFirst + kDay}, true, "UTC"};
  return bed.loop.run(bed.store.campaigns(uuid(1, 0), span)).exact_from;
}

std::string rollups_of(const std::vector<std::vector<events::Event>>& histories) {
  Bed bed;
  for (const auto& events : histories) bed.apply(events);
  return bed.tables();
}

std::vector<events::Event> part_of(const std::vector<events::Event>& events, std::size_t from, std::size_t to) {
  return {events.begin() + static_cast<std::ptrdiff_t>(from), events.begin() + static_cast<std::ptrdiff_t>(to)};
}

}  // namespace

TEST_SUITE("integration: analytics") {
  TEST_CASE("killed at any moment, everything is counted once") {
    Bed bed;
    const auto events = history(7, 1'500);
    tell(bed.database, events);
    const auto head = static_cast<std::int64_t>(events.size());
    const auto position = [&] {
      return bed.database.number("SELECT coalesce(max(position), 0) FROM feed_cursor WHERE producer = 'conversations'");
    };
    std::mt19937 random(7);
    int kills = 0;
    for (const auto settings = bed.database.settings(); position() < head / 2; ++kills) {
      Child child([&] {
        Loop loop(settings);
        const Following following(loop);
        loop.until([] { return false; });
      });
      std::this_thread::sleep_for(std::chrono::milliseconds(100 + random() % 200));
      child.kill();
    }
    CHECK(kills > 1);
    MESSAGE(kills << " kills until half of " << head << " events were applied");
    follow_to(bed, head);
    CHECK(bed.tables() == rollups_of({events}));
    CHECK_FALSE(exact_from(bed));
  }

  TEST_CASE("another feed that is there from its beginning is counted anew") {
    Bed bed;
    const auto before = history(1, 300), after = history(2, 300);
    tell(bed.database, before);
    follow_to(bed, static_cast<std::int64_t>(before.size()));
    bed.database.execute("DELETE FROM outbox; UPDATE feed SET epoch = gen_random_uuid(), head = 0");
    tell(bed.database, after);
    follow_to(bed, static_cast<std::int64_t>(after.size()));
    CHECK(bed.tables() == rollups_of({after}));
    CHECK_FALSE(exact_from(bed));
  }

  TEST_CASE("a feed that was restored from a backup goes on: what it tells again is not counted again") {
    Bed bed;
    const auto events = history(3, 400), news = history(4, 100);
    tell(bed.database, events);
    const auto head = events.size();
    REQUIRE(head > 60);
    follow_to(bed, static_cast<std::int64_t>(head));
    bed.database.execute("DELETE FROM outbox WHERE position <= 10 OR position > " + std::to_string(head - 20));
    bed.database.execute("UPDATE feed SET epoch = gen_random_uuid(), pruned = 10, head = " + std::to_string(head - 20));
    bed.loop.run(pause_for(5ms));
    tell(bed.database, news);
    follow_to(bed, static_cast<std::int64_t>(head - 20 + news.size()));
    CHECK(bed.tables() == rollups_of({events, news}));
    REQUIRE(exact_from(bed));
    CHECK(*exact_from(bed) <= model::Timestamp::now());

    // Read from its beginning, it makes all exact again.
    bed.database.execute("DELETE FROM outbox; UPDATE feed SET epoch = gen_random_uuid(), pruned = 0, head = 0");
    tell(bed.database, news);
    follow_to(bed, static_cast<std::int64_t>(news.size()));
    CHECK(bed.tables() == rollups_of({news}));
    CHECK_FALSE(exact_from(bed));
  }

  TEST_CASE("what was dropped before it was read is missing, and said to be") {
    Bed bed;
    const auto events = history(5, 400);
    const auto head = events.size();
    REQUIRE(head > 60);
    tell(bed.database, part_of(events, 0, 20));
    follow_to(bed, 20);
    CHECK_FALSE(exact_from(bed));
    tell(bed.database, part_of(events, 20, head));
    {
      events::Feed feed(bed.loop.context(), bed.loop.pool, Following::quiet_feed(), quiet());
      bed.loop.launch(feed.run());  // until all have their positions
      bed.loop.until([&] { return feed.stats().head == static_cast<std::int64_t>(head); });
      feed.stop();
      bed.loop.finish();
    }
    bed.database.execute("DELETE FROM outbox WHERE position <= 40; UPDATE feed SET pruned = 40");
    follow_to(bed, static_cast<std::int64_t>(head));
    CHECK(bed.tables() == rollups_of({part_of(events, 0, 20), part_of(events, 40, head)}));
    CHECK(exact_from(bed));
  }

  TEST_CASE("how many contacts there are is not told by a feed whose beginning is gone") {
    Bed bed;
    const Span span{{kFirst}, {kFirst + kDay}, true, "UTC"};
    const auto contacts = [&] { return bed.loop.run(bed.store.primary(uuid(1, 0), span)).contacts_before; };
    const auto begin = [&](int position) {
      bed.database.execute("DELETE FROM feed_cursor; INSERT INTO feed_cursor VALUES ('contacts', gen_random_uuid(), " +
                           std::to_string(position) + ")");
      bed.loop.run([](pg::Pool& pool) -> awaitable<void> {
        auto transaction = co_await pool.begin();
        co_await analytics::rollups::forget_contacts(transaction);
        co_await transaction.commit();
      }(bed.loop.pool));
    };
    CHECK(contacts() == 0);
    begin(40);
    CHECK_FALSE(contacts());
    CHECK(bed.loop.run(bed.store.primary(uuid(1, 0), span)).exact_from);
    CHECK_FALSE(exact_from(bed));  // that is the other feed's
    begin(0);
    CHECK(contacts() == 0);
  }
}
