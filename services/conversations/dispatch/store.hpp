#pragma once
#include "common/chassis/events.hpp"
#include "common/events/queue_floor.hpp"
#include "common/pg/pool.hpp"
#include "conversations/dispatch/settings.hpp"
#include "conversations/dispatch/shapes.hpp"

namespace parley::conversations::dispatch {

using boost::asio::awaitable;

// The queue and the numbers in the database, shared by all dispatchers: statements on owned rows name the owner.
class Store {
 public:
  Store(pg::Pool& database, const Settings& settings) : database_(database), settings_(settings) {}

  // Returns at most `most` numbers after `after` with due rows. Moves the queue's floor, so one coroutine only.
  awaitable<std::vector<Waiting>> numbers(model::Uuid owner, NumberId after, std::int64_t most);
  // Returns the numbers that could be taken.
  awaitable<std::vector<Taken>> take(model::Uuid owner, std::vector<NumberId> wanted);
  // Extends the leases; returns the numbers that the owner still has.
  awaitable<std::vector<NumberId>> renew(model::Uuid owner, std::vector<NumberId> held);
  awaitable<void> release(NumberId number, model::Uuid owner);

  // Sendable rows of a number behind a position, the longest due first; if fewer than `most`, where to continue.
  struct Look {
    std::vector<Due> due;
    std::optional<QueuePosition> edge;
  };
  awaitable<Look> look(NumberId number, QueuePosition after, std::int64_t most);
  // Makes rows Sending that are unchanged since the look, only for the number's owner. May throw pg::OutcomeUnknown.
  awaitable<std::vector<Item>> claim(NumberId number, model::Uuid owner, model::Uuid claim, std::vector<Due> due);
  // Records by message id, whoever owns the number now. Idempotent. First waits for unanswered commits.
  awaitable<void> record(NumberId number, const Record& record);

  // Housekeeping for all organizations, at most `most` rows per kind; returns the rows found. `owner`: the caller.
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
