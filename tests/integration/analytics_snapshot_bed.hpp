#pragma once
// A database of conversations that random transactions write to, by the service's own statements, and analytics that
// follows it.
#include "common/events/snapshots.hpp"
#include "common/http/server.hpp"
#include "tests/integration/analytics_bed.hpp"
#include "tests/integration/conversations_bed.hpp"

namespace parley::analytics_tests {

constexpr std::int64_t kFirstMoment = 1'760'000'400'000, kSpanOfMoments = 3 * 86'400'000;

// Campaigns are uuid(2, n) of the organizations uuid(1, 0) and uuid(1, 1). The views raw_message, raw_reply, raw_click
// and raw_life are what plain_figures() and plain_primary() count.
struct ToldDatabase : conversations_tests::Database {
  ToldDatabase();
  std::vector<events::Event> events() const;  // all that were told, which must all have their positions
};

// Does random things one after another: campaigns' messages, statuses in any disorder, replies, clicks, messages of
// members and of contacts (some of them blocked), new names of campaigns. Each is a transaction.
class Writer {
 public:
  Writer(pg::Pool& pool, events::Feed& feed, unsigned seed) : pool_(pool), feed_(feed), random_(seed) {}
  // Throws nothing that another attempt might not meet.
  awaitable<void> run(int steps);

 private:
  using Work = awaitable<void> (Writer::*)(pg::Transaction&, events::Changes&);
  struct Target;

  awaitable<void> step();
  awaitable<void> send(pg::Transaction& transaction, events::Changes& changes);
  awaitable<void> rise(pg::Transaction& transaction, events::Changes& changes);
  awaitable<void> reply(pg::Transaction& transaction, events::Changes& changes);
  awaitable<void> write(pg::Transaction& transaction, events::Changes& changes);
  awaitable<void> click(pg::Transaction& transaction, events::Changes& changes);
  awaitable<void> answer(pg::Transaction& transaction, events::Changes& changes);
  awaitable<void> describe(pg::Transaction& transaction, events::Changes& changes);
  awaitable<std::optional<Target>> any_target(pg::Transaction& transaction);
  int below(int most) { return std::uniform_int_distribution<int>(0, most - 1)(random_); }
  model::Timestamp moment() {
    return {kFirstMoment + std::uniform_int_distribution<std::int64_t>(0, kSpanOfMoments / 1000 - 1)(random_) * 1000};
  }
  model::Uuid organization() { return uuid(1, below(2)); }

  pg::Pool& pool_;
  events::Feed& feed_;
  std::mt19937 random_;
};

// The service's side: its feed and its snapshots, as /internal/events and /internal/snapshot.
struct Teller {
  explicit Teller(Loop& loop);
  events::Feed feed;
  events::Snapshots snapshots;
  awaitable<http::Response> serve(http::Request& request);
};

// Analytics' side, over whatever asks. Between the pieces of a snapshot it waits up to `max_pause`.
events::ConsumerWork counting(std::function<awaitable<http::ClientResponse>(http::ClientRequest)> ask,
                              std::function<awaitable<std::unique_ptr<http::BodySource>>(http::ClientRequest)> open,
                              std::chrono::milliseconds max_pause);
events::ConsumerSettings counting_settings();

// A response's stream, for who takes it as its own.
std::unique_ptr<http::BodySource> own(std::shared_ptr<http::BodySource> stream);

}  // namespace parley::analytics_tests
