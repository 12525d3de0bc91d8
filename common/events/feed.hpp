#pragma once
// The producer: a service adds `outbox::append` (common/events/outbox/sql.hpp) to the transaction of a change, and
// consumers read GET /internal/events.
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/async/event.hpp"
#include "common/async/loop.hpp"
#include "common/async/task_group.hpp"
#include "common/events/event.hpp"
#include "common/events/queue_floor.hpp"
#include "common/http/message.hpp"
#include "common/pg/pool.hpp"

namespace parley::events {

using boost::asio::awaitable;

struct FeedSettings {
  // Events are retained until all of these have acknowledged them, within the retention. Anonymous followers see what
  // is left: at least the events of the last `min_age`.
  std::vector<std::string> consumers;
  std::chrono::seconds retention = std::chrono::days(7);
  std::chrono::seconds min_age = std::chrono::minutes(10);
  // The pause between two looks for new events; doubles from the minimum to the maximum while there are none. Events
  // that this process commits end the pause.
  std::chrono::milliseconds min_pause{20};
  std::chrono::milliseconds max_pause{1'000};
  std::chrono::milliseconds longest_pause_followed{250};  // while a follower waits in this process
  std::chrono::milliseconds housekeeping_pause{10'000};
  std::chrono::milliseconds measuring_pause{5'000};
  int max_sequenced = 1'000;  // events per transaction
  int max_pruned = 2'000;
  std::size_t max_followers = 256;  // concurrently waiting
};

struct FeedStats {
  std::int64_t head = 0;
  std::int64_t pruned = 0;
  std::size_t followers = 0;                         // currently waiting
  std::map<std::string, std::int64_t> acknowledged;  // by consumer, as received by this process; 0: none yet
  std::uint64_t sequenced = 0;                       // events given a position by this process
  std::uint64_t pruned_events = 0;
  std::uint64_t failures = 0;
  std::int64_t pending = 0;  // events without a position at the last measurement, capped at 10,000
  std::optional<model::Timestamp> oldest_pending;
};

// A service's feed. Every replica runs one; they coordinate through the database.
class Feed {
 public:
  // Commits to the outbox through this pool wake the feed: see Pool::on_publish().
  Feed(boost::asio::io_context& context, pg::Pool& database, FeedSettings settings, Report report);
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;
  ~Feed();

  // Assigns positions to new events, wakes followers, and prunes, until stop(). Does not throw.
  awaitable<void> run() { return loop_.run(); }
  // Looks for new events at once. Not needed for commits of this process.
  void notify();
  void stop();

  // Serves GET /internal/events. Parameters of `query`:
  //   consumer  one of the settings' consumers; without it nothing is acknowledged
  //   epoch     the epoch of `after`
  //   after     return events after this position, and acknowledge up to it; without it only head and epoch
  //   wait      seconds to wait for an event if there is none, at most 10 (default 0)
  //   limit     events, at most 1,000 (default 500)
  awaitable<http::Response> serve(std::string query);

  // For readers in this process, without acknowledgement: `wait` in seconds, unbounded. Returns early after stop().
  awaitable<FeedPage> read(std::int64_t after, std::int64_t limit, std::int64_t wait);
  // The feed's state, without events.
  awaitable<FeedPage> look();

  // A consistent view of the database that contains exactly the events up to `position`.
  struct Snapshot {
    pg::Transaction transaction;  // REPEATABLE READ READ ONLY; not idle for more than a minute
    model::Uuid epoch;
    std::int64_t position = 0;
    model::Timestamp taken_at;
  };
  // Throws a Problem 503 if no snapshot can be taken for too long. A snapshot holds back vacuum, so release it soon.
  awaitable<Snapshot> take_snapshot();

  FeedStats stats() const;
  // All events without a position are above it.
  const QueueFloor& floor() const { return floor_; }

 private:
  awaitable<FeedPage> page(std::optional<std::int64_t> after, std::int64_t limit);
  awaitable<std::chrono::milliseconds> step();
  awaitable<bool> tick();      // true: there was work
  awaitable<bool> sequence();  // the same
  awaitable<std::optional<Snapshot>> try_snapshot();
  awaitable<void> keep_house();
  awaitable<void> measure();
  awaitable<void> rest();
  awaitable<void> wait_beyond(std::int64_t position, std::chrono::steady_clock::time_point deadline);
  void learn(const model::Uuid& epoch, std::int64_t head);
  void failed(std::string_view what);

  using Clock = std::chrono::steady_clock;
  pg::Pool& database_;
  FeedSettings settings_;
  Report report_;
  async::TaskGroup followers_;  // waiting for events
  async::Event news_;           // pulsed
  std::chrono::milliseconds pause_;
  Clock::time_point last_tick_{}, next_look_{}, next_housekeeping_{}, next_measuring_{};
  QueueFloor floor_{"outbox"};
  bool registered_ = false, notified_ = false, resting_ = false;

  model::Uuid epoch_;
  struct Acknowledgement {
    model::Uuid epoch;
    std::int64_t position = 0;
    std::int64_t written = 0;  // the position in the database
  };
  std::map<std::string, Acknowledgement> acknowledged_;
  FeedStats stats_;
  async::Loop loop_;
};

}  // namespace parley::events
