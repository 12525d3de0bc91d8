#pragma once
// The consumer: reads another service's feed and applies each event once.
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "common/async/loop.hpp"
#include "common/events/event.hpp"
#include "common/events/snapshot.hpp"
#include "common/http/client.hpp"
#include "common/pg/pool.hpp"

namespace parley::events {

using boost::asio::awaitable;

struct ConsumerSettings {
  std::string name;                          // registered with the producer
  std::string producer;                      // the owner of the feed: "conversations"
  bool is_own = false;                       // the feed is in the same database as the cursor
  std::int64_t wait = 5;                     // seconds that a request may wait for an event
  std::int64_t limit = 500;                  // events per transaction
  std::chrono::milliseconds min_pause{100};  // after a failure; doubles
  std::chrono::milliseconds max_pause{5'000};
};

// How to treat events that the feed dropped before this consumer read them: the feed was restored from a backup, or
// went on without this consumer.
enum class Dropped {
  needed,   // the feed cannot be followed without them
  applied,  // needed, but events applied before stay valid: a restored feed continues from them
  made_up,  // forget() compensates for their effects, or records that they are missing
};

// The functions that a service provides.
struct ConsumerWork {
  // Sends a request to the producer. Throws like http::Client.
  std::function<awaitable<http::ClientResponse>(http::ClientRequest)> ask;
  // Applies events in order in the given transaction, and must not commit it. May run again after a rollback. Throws
  // BadEvent.
  std::function<awaitable<void>(pg::Transaction&, std::span<const Event>)> apply;
  // Undoes everything applied from this feed, which is then read again from its beginning, or from its oldest event if
  // `dropped` allows that.
  std::function<awaitable<void>(pg::Transaction&)> forget;
  Report report;
  Dropped dropped = Dropped::needed;
  // For producers with snapshots: whenever the feed cannot be followed from the cursor, a snapshot replaces the events
  // from the feed's beginning. `forget` and `restore` run in one transaction, which may last for minutes.
  // Requests a snapshot. Throws like http::Client, also if the response is not a snapshot.
  std::function<awaitable<std::unique_ptr<http::BodySource>>(http::ClientRequest)> open{};
  // Applies the whole snapshot. Throws BadEvent.
  std::function<awaitable<void>(pg::Transaction&, SnapshotReader&)> restore{};
};

struct ConsumerStats {
  std::int64_t position = 0;
  std::int64_t head = 0;        // of the feed, in the last response
  std::uint64_t applied = 0;    // events, by this process
  std::uint64_t overtaken = 0;  // events that another replica applied first
  std::uint64_t dead = 0;       // events that this process parked
  std::uint64_t parked = 0;     // events in parked_event
  std::uint64_t failures = 0;
  std::uint64_t rebuilds = 0;  // restarts from a snapshot or from the feed's beginning
  // When all known events were last applied; initially the start time.
  std::chrono::steady_clock::time_point caught_up_at = std::chrono::steady_clock::now();
  // Why the feed cannot be followed any more, as events were lost before they were applied; "" if all is well.
  std::string broken;
};

// Several replicas may follow a feed under one name; each event is applied by only one of them.
class Consumer {
 public:
  Consumer(boost::asio::io_context& context, pg::Pool& database, ConsumerSettings settings, ConsumerWork work);

  // Runs until stop(). Does not throw. May be killed at any moment.
  awaitable<void> run() { return loop_.run(); }
  void stop() { loop_.request_stop(); }
  const ConsumerStats& stats() const { return stats_; }

 private:
  struct Cursor {
    std::optional<model::Uuid> epoch;
    std::int64_t position = 0;
  };
  enum class Outcome { applied, overtaken, bad };

  awaitable<std::chrono::milliseconds> step();
  void failed(const std::string& what);
  awaitable<void> load_cursor();
  awaitable<FeedPage> ask();
  bool follows(const FeedPage& page) const;
  bool can_do_without(const FeedPage& page) const;
  awaitable<void> begin_anew(FeedPage page);
  awaitable<void> rebuild();
  awaitable<void> apply(FeedPage page);
  awaitable<Outcome> attempt(model::Uuid epoch, std::span<const Event> events);
  awaitable<bool> park(model::Uuid epoch, const Event& event);
  awaitable<void> replay(bool only_due);
  awaitable<bool> replay_one(std::int64_t& after, bool only_due);
  awaitable<bool> move(pg::Transaction& transaction, model::Uuid epoch, std::int64_t position);

  pg::Pool& database_;
  ConsumerSettings settings_;
  ConsumerWork work_;
  std::optional<Cursor> cursor_;  // as in the database; empty if unknown
  std::string fault_;             // of the last bad event
  bool replayed_ = false;
  bool due_ = false;                                   // parked events are due for a retry
  std::chrono::steady_clock::time_point next_look_{};  // at parked events
  ConsumerStats stats_;
  async::Loop loop_;
};

}  // namespace parley::events
