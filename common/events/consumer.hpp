#pragma once
// The following half: reads another service's feed and applies each event once.
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
  std::string name;                          // as the producer knows it
  std::string producer;                      // whose feed: "conversations"
  bool is_own = false;                       // the feed is in the database that the cursor is in
  std::int64_t wait = 5;                     // seconds that a question may wait for an event
  std::int64_t limit = 500;                  // events a transaction
  std::chrono::milliseconds min_pause{100};  // after a failure; doubles
  std::chrono::milliseconds max_pause{5'000};
};

// What events are to a consumer that a feed has dropped before they were read here: as another feed than the one that
// was followed (a backup of its database was restored), or as it went on without this consumer.
enum class Dropped {
  needed,   // the feed cannot be followed without them
  applied,  // the same, but what was applied of the feed before stays good: another feed goes on from it
  made_up,  // forget() sees to it that what they told comes about all the same, or that what it lacks is known
};

// What a consumer needs of its service.
struct ConsumerWork {
  // Sends a request to the producer. Throws what http::Client does.
  std::function<awaitable<http::ClientResponse>(http::ClientRequest)> ask;
  // Applies events, in their order, in a transaction that it neither commits nor keeps. Everything it does there is
  // undone if the transaction fails, and then done again. Throws BadEvent.
  std::function<awaitable<void>(pg::Transaction&, std::span<const Event>)> apply;
  // Undoes all that was ever applied from this feed, which is then read anew from its beginning: as much of it as there
  // still is, if `dropped` allows for that.
  std::function<awaitable<void>(pg::Transaction&)> forget;
  Report report;
  Dropped dropped = Dropped::needed;
  // Of a producer that tells snapshots: what the feed told from its beginning on can be had from one, and so it is
  // whenever the feed cannot be followed from the cursor on, instead of reading what there still is of it. `forget` and
  // `restore` then run in one transaction, which may last for minutes.
  // Asks for a snapshot: throws what http::Client does, also for an answer that is none.
  std::function<awaitable<std::unique_ptr<http::BodySource>>(http::ClientRequest)> open{};
  // Applies all that a snapshot tells. Throws BadEvent.
  std::function<awaitable<void>(pg::Transaction&, SnapshotReader&)> restore{};
};

struct ConsumerStats {
  std::int64_t position = 0;
  std::int64_t head = 0;        // of the feed, at the last answer
  std::uint64_t applied = 0;    // events, by this process
  std::uint64_t overtaken = 0;  // events that another replica had applied meanwhile
  std::uint64_t dead = 0;       // events that this process parked
  std::uint64_t parked = 0;     // events in parked_event
  std::uint64_t failures = 0;
  std::uint64_t rebuilds = 0;  // times that all was read from a snapshot, or from the feed's beginning
  // When last all that was told had been applied, as far as was known; at first, when this began.
  std::chrono::steady_clock::time_point caught_up_at = std::chrono::steady_clock::now();
  // "" while all is well; otherwise why the feed cannot be followed any more: events that were never applied are gone.
  std::string broken;
};

// Several replicas may follow the same feed under the same name: what one applies no other does.
class Consumer {
 public:
  Consumer(boost::asio::io_context& context, pg::Pool& database, ConsumerSettings settings, ConsumerWork work);

  // Follows until stop(). Throws nothing. May be killed at any moment.
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
  std::optional<Cursor> cursor_;  // as it stands in the database; nothing when that is not known
  std::string fault_;             // of the last event that was bad
  bool replayed_ = false;
  bool due_ = false;                                   // parked events are to be tried again
  std::chrono::steady_clock::time_point next_look_{};  // at them
  ConsumerStats stats_;
  async::Loop loop_;
};

}  // namespace parley::events
