#pragma once
// Where a queue begins: a table whose rows have ids in the order in which they come, and go when they are done with.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/pg/batch.hpp"
#include "common/pg/results.hpp"

namespace parley::events {

// What the statement queue_state tells.
struct QueueState {
  std::string world;
  std::int64_t last = 0;
  std::vector<std::string> writers;
};
BOOST_DESCRIBE_STRUCT(QueueState, (), (world, last, writers))

// An id up to which a queue has nothing, nor will have: ids are given before their rows can be seen, and not in the
// order of commits. So the floor follows the last id that was given only when all have ended that were writing after it
// was, and what they wrote was looked for. A queue may have times instead, in microseconds since 1970, that are not
// before clock_timestamp() was when the row was written: it comes at its time. Statements give value() and world() to
// queue_floor() of functions.sql, which takes the floor for nothing in another world. A process has one a queue,
// which one coroutine moves:
//
//   pg::Batch batch(look, floor.value(), floor.world());
//   floor.ask(batch);
//   const auto results = co_await database.read(std::move(batch));
//   floor.learn(results.one<events::QueueState>(1), FIRST);
class QueueFloor {
 public:
  enum class By { id, time };
  // `queue` is the table. It is looked at from its front every `longest`, for rows that somebody put in by hand.
  explicit QueueFloor(std::string queue, std::chrono::seconds longest = std::chrono::minutes(10), By by = By::id);

  std::int64_t value() const { return value_; }
  const std::string& world() const { return world_; }

  // Adds queue_state to a batch of the read lane that looks for the first row behind value().
  void ask(pg::Batch& batch);
  // Its answer, and the id of that row.
  void learn(QueueState state, std::optional<std::int64_t> first);

 private:
  using Clock = std::chrono::steady_clock;
  // The floor can come up to `id` when none of `writers` is writing any more.
  struct Mark {
    std::int64_t id = 0;
    std::vector<std::string> writers;
    bool over = false;  // what is looked for from now on is all there is
  };
  void start_over();

  const std::string queue_;
  const std::chrono::seconds longest_;
  const By by_;
  std::int64_t value_ = 0;
  std::string world_;
  std::int64_t last_ = 0;  // that was given when last asked
  std::optional<Mark> mark_;
  bool asked_writers_ = false;
  Clock::time_point start_over_at_{};
};

}  // namespace parley::events
