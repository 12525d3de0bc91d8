#pragma once
// The lower bound of a queue: a table whose rows get ascending ids and are deleted once processed.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/pg/batch.hpp"
#include "common/pg/results.hpp"

namespace parley::events {

// The result of the statement queue_state.
struct QueueState {
  std::string world;
  std::int64_t last = 0;
  std::vector<std::string> writers;
};
BOOST_DESCRIBE_STRUCT(QueueState, (), (world, last, writers))

// An id up to which the queue is and stays empty. Ids are assigned before rows become visible, and commits happen out
// of order; so the floor advances to the last assigned id only when all transactions that were writing at that time
// have ended and their rows have been looked for. A queue may be keyed by time instead (microseconds since 1970, not
// before clock_timestamp() at the insert). Statements pass value() and world() to queue_floor() of functions.sql,
// which ignores a floor of another world. A process has one floor per queue, moved by one coroutine:
//
//   pg::Batch batch(look, floor.value(), floor.world());
//   floor.ask(batch);
//   const auto results = co_await database.read(std::move(batch));
//   floor.learn(results.one<events::QueueState>(1), FIRST);
class QueueFloor {
 public:
  enum class By { id, time };
  // `queue` is the table. Every `longest` it is scanned from its front, for rows inserted by hand.
  explicit QueueFloor(std::string queue, std::chrono::seconds longest = std::chrono::minutes(10), By by = By::id);

  std::int64_t value() const { return value_; }
  const std::string& world() const { return world_; }

  // Adds queue_state to a batch of the read lane that looks for the first row above value().
  void ask(pg::Batch& batch);
  // Takes the result of queue_state, and the id of that first row.
  void learn(QueueState state, std::optional<std::int64_t> first);

 private:
  using Clock = std::chrono::steady_clock;
  // The floor can advance to `id` once none of `writers` is writing any more.
  struct Mark {
    std::int64_t id = 0;
    std::vector<std::string> writers;
    bool over = false;  // the writers have ended; the next look sees all their rows
  };
  void start_over();

  const std::string queue_;
  const std::chrono::seconds longest_;
  const By by_;
  std::int64_t value_ = 0;
  std::string world_;
  std::int64_t last_ = 0;  // the last assigned id when last queried
  std::optional<Mark> mark_;
  bool asked_writers_ = false;
  Clock::time_point start_over_at_{};
};

}  // namespace parley::events
