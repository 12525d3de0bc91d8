#include "common/events/queue_floor.hpp"

#include <algorithm>

#include "common/events/outbox/sql.hpp"

namespace parley::events {

namespace {

// The minimum advance, in ids or microseconds, before the writers are queried.
constexpr std::int64_t kIdStep = 256, kTimeStep = 1'000'000;

// A prepared transaction ("-1/…") no longer has its virtual transaction id, so it counts as still writing.
bool is_over(const std::vector<std::string>& writers, const std::vector<std::string>& now) {
  return std::none_of(now.begin(), now.end(), [&](const std::string& writer) {
    return writer.starts_with("-1/") || std::find(writers.begin(), writers.end(), writer) != writers.end();
  });
}

}  // namespace

QueueFloor::QueueFloor(std::string queue, std::chrono::seconds longest, By by)
    : queue_(std::move(queue)), longest_(longest), by_(by) {}

void QueueFloor::start_over() {
  value_ = 0;
  last_ = 0;
  mark_.reset();
  start_over_at_ = Clock::now() + longest_;
}

void QueueFloor::ask(pg::Batch& batch) {
  const auto step = by_ == By::time ? kTimeStep : kIdStep;
  asked_writers_ = mark_ ? !mark_->over : last_ - value_ >= step;
  batch.add(outbox::queue_state, queue_, by_ == By::time, asked_writers_);
}

void QueueFloor::learn(QueueState state, std::optional<std::int64_t> first) {
  if (state.world != world_ || state.last < last_ || Clock::now() >= start_over_at_) {
    start_over();
    world_ = std::move(state.world);
  } else if (mark_ && mark_->over) {
    value_ = std::max(value_, first ? std::min(*first - 1, mark_->id) : mark_->id);
    mark_.reset();
  } else if (mark_) {
    // Rows that committed just now may be missing: this look's snapshot is older than the list of writers.
    mark_->over = is_over(mark_->writers, state.writers);
  } else if (asked_writers_) {
    // last_ was read before the writers: each writer with an id up to it is among them.
    mark_.emplace(last_, std::move(state.writers));
  }
  last_ = state.last;
}

}  // namespace parley::events
