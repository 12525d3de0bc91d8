#pragma once
#include "common/chassis/events.hpp"
#include "common/events/queue_floor.hpp"
#include "common/pg/pool.hpp"
#include "conversations/dispatch/settings.hpp"
#include "conversations/dispatch/shapes.hpp"

namespace parley::conversations::dispatch {

using boost::asio::awaitable;

// The queue and the numbers in the database. Several dispatchers meet there: what is theirs alone names the owner.
class Store {
 public:
  Store(pg::Pool& database, const Settings& settings) : database_(database), settings_(settings) {}

  // The next numbers beyond one of which something is due, at most so many. Moves the queue's floor: for one coroutine.
  awaitable<std::vector<Waiting>> numbers(model::Uuid owner, NumberId after, std::int64_t most);
  // Those of these numbers that could be taken.
  awaitable<std::vector<Taken>> take(model::Uuid owner, std::vector<NumberId> wanted);
  // Those of these numbers that are still the owner's: for another lease.
  awaitable<std::vector<NumberId>> renew(model::Uuid owner, std::vector<NumberId> held);
  awaitable<void> release(NumberId number, model::Uuid owner);

  // Rows of a number that may be sent beyond a place, the longest due first, and, when there are fewer than `most`,
  // where to go on looking.
  struct Look {
    std::vector<Due> due;
    std::optional<QueuePosition> edge;
  };
  awaitable<Look> look(NumberId number, QueuePosition after, std::int64_t most);
  // Makes them Sending; what is still as it was seen, and only for the number's owner. Throws pg::OutcomeUnknown too.
  awaitable<std::vector<Item>> claim(NumberId number, model::Uuid owner, model::Uuid claim, std::vector<Due> due);
  // By message id, whoever owns the number now. May be repeated. Commits that were not answered are settled first: what
  // they did is seen only when they have ended.
  awaitable<void> record(NumberId number, const Record& record);

  // What nobody else does, for all organizations; at most so many rows each. The rows that it found. `owner`: who asks,
  // and is not gone.
  awaitable<std::uint64_t> keep_house(model::Uuid owner, std::int64_t most);
  awaitable<Depth> depth();
  const events::QueueFloor& floor() const { return context_; }

 private:
  awaitable<void> settle_unanswered(const NumberId& number, const Record& record);
  awaitable<std::uint64_t> settle_left_chunks(model::Uuid owner, std::int64_t most);
  awaitable<bool> take_away(NumberId number);

  pg::Pool& database_;
  const Settings& settings_;
  events::QueueFloor context_{"outgoing", std::chrono::minutes(10), events::QueueFloor::By::time};
};

}  // namespace parley::conversations::dispatch
