#pragma once
// The telling half: a service writes `outbox::append` (common/events/outbox/sql.hpp) into the transaction that changes
// something, and whoever wants to know reads GET /internal/events.
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
  // Events are kept until all of these have acknowledged them, but no longer than the retention. Others may follow too,
  // without a name; they see what is still there, which is what happened in the last `min_age` at least.
  std::vector<std::string> consumers;
  std::chrono::seconds retention = std::chrono::days(7);
  std::chrono::seconds min_age = std::chrono::minutes(10);
  // Between two looks for new events: doubles from the one to the other while there are none. Events that this process
  // commits do not wait for it.
  std::chrono::milliseconds min_pause{20};
  std::chrono::milliseconds max_pause{1'000};
  std::chrono::milliseconds longest_pause_followed{250};  // while a follower waits here
  std::chrono::milliseconds housekeeping_pause{10'000};
  std::chrono::milliseconds measuring_pause{5'000};
  int max_sequenced = 1'000;  // events a transaction
  int max_pruned = 2'000;
  std::size_t max_followers = 256;  // that wait at once
};

struct FeedStats {
  std::int64_t head = 0;
  std::int64_t pruned = 0;
  std::size_t followers = 0;                         // that wait now
  std::map<std::string, std::int64_t> acknowledged;  // by consumer, as it told this process; 0: nothing yet
  std::uint64_t sequenced = 0;                       // events given a position by this process
  std::uint64_t pruned_events = 0;
  std::uint64_t failures = 0;
  std::int64_t pending = 0;  // events without a position, 10,000 standing for more: when last looked at
  std::optional<model::Timestamp> oldest_pending;
};

// A service's feed. Every replica runs one; they agree through the database.
class Feed {
 public:
  // Whatever the pool commits to the outbox wakes the feed by itself: see Pool::on_publish().
  Feed(boost::asio::io_context& context, pg::Pool& database, FeedSettings settings, Report report);
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;
  ~Feed();

  // Gives new events their positions, wakes who waits for them, and prunes; until stop(). Throws nothing.
  awaitable<void> run() { return loop_.run(); }
  // Looks for new events at once. Nobody needs to call it for what this process commits.
  void notify();
  void stop();

  // GET /internal/events. `query` is the request's:
  //   consumer  one of the settings' (may be left out: then nothing is acknowledged)
  //   epoch     that `after` is from
  //   after     give what is behind this position, and acknowledge everything up to it; without it only head and epoch
  //   wait      seconds to wait for an event if there is none, at most 10 (0)
  //   limit     events, at most 1,000 (500)
  awaitable<http::Response> serve(std::string query);

  // The same for who is in this process and acknowledges nothing: `wait` in seconds, as long as one likes. Ends early
  // with stop().
  awaitable<FeedPage> read(std::int64_t after, std::int64_t limit, std::int64_t wait);
  // Where the feed stands, without events.
  awaitable<FeedPage> look();

  // A look at everything as it was when just the events up to a position had happened.
  struct Snapshot {
    pg::Transaction transaction;  // REPEATABLE READ READ ONLY; not idle for more than a minute
    model::Uuid epoch;
    std::int64_t position = 0;
    model::Timestamp taken_at;
  };
  // Throws a Problem 503 if it cannot be taken for long. It keeps what is deleted meanwhile from being cleared away: to
  // be let go soon.
  awaitable<Snapshot> take_snapshot();

  FeedStats stats() const;
  // Behind it is all that has no position.
  const QueueFloor& floor() const { return floor_; }

 private:
  awaitable<FeedPage> page(std::optional<std::int64_t> after, std::int64_t limit);
  awaitable<std::chrono::milliseconds> step();
  awaitable<bool> tick();      // true: there was something to do
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
  async::TaskGroup followers_;  // who wait for news
  async::Event news_;           // pulsed
  std::chrono::milliseconds pause_;
  Clock::time_point last_tick_{}, next_look_{}, next_housekeeping_{}, next_measuring_{};
  QueueFloor floor_{"outbox"};
  bool registered_ = false, notified_ = false, resting_ = false;

  model::Uuid epoch_;
  struct Acknowledgement {
    model::Uuid epoch;
    std::int64_t position = 0;
    std::int64_t written = 0;  // what the database knows of it
  };
  std::map<std::string, Acknowledgement> acknowledged_;
  FeedStats stats_;
  async::Loop loop_;
};

}  // namespace parley::events
