// The rollups under what befalls those who follow a feed: killed at any moment; and what figures say of themselves when
// they were made anew.
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
    settings.min_age = std::chrono::hours(1);
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
                             .report = quiet()}};
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

}  // namespace

TEST_SUITE("integration: analytics") {
  TEST_CASE("killed at any moment, everything is counted once") {
    Bed bed;
    const auto events = history(7, 6'000);
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
      std::this_thread::sleep_for(std::chrono::milliseconds(30 + random() % 150));
      child.kill();
    }
    CHECK(kills > 1);
    MESSAGE(kills << " kills until half of " << head << " events were applied");
    follow_to(bed, head);
    CHECK(bed.tables() == rollups_of({events}));
    CHECK_FALSE(exact_from(bed));
  }

  TEST_CASE("how many contacts there are is told from when on nobody is missing that was deleted") {
    Bed bed;
    const auto contacts = [&](std::int64_t from) {
      return bed.loop.run(bed.store.primary(uuid(1, 0), {{from}, {kFirst + kDay}, true, "UTC"}));
    };
    CHECK(contacts(kFirst).contacts_before == 0);
    CHECK_FALSE(contacts(kFirst).exact_from);
    bed.database.execute("INSERT INTO feed_coverage (producer, exact_from) VALUES ('contacts', '" +
                         model::Timestamp{kFirst + kDay / 2}.text() + "')");
    CHECK_FALSE(contacts(kFirst).contacts_before);
    CHECK(contacts(kFirst + kDay / 2).contacts_before == 0);
    CHECK(contacts(kFirst).exact_from == model::Timestamp{kFirst + kDay / 2});
    CHECK_FALSE(exact_from(bed));  // that is the other feed's
  }
}
