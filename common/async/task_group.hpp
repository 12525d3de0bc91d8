#pragma once
#include <memory>

#include "common/async/event.hpp"

namespace parley::async {

// Counts coroutines that run beside the one that started them, so that it can wait for their ends. For one thread.
// Tasks may be destroyed after the group.
class TaskGroup {
  struct State {
    std::size_t members = 0;
    Event empty;  // pulsed when the last one has left
  };

 public:
  // Counts for as long as it lives.
  class Member {
   public:
    explicit Member(std::shared_ptr<State> state) : state_(std::move(state)) { ++state_->members; }
    Member(Member&&) = default;
    Member& operator=(Member&&) = delete;
    ~Member() {
      if (state_ && --state_->members == 0) state_->empty.pulse();
    }

   private:
    std::shared_ptr<State> state_;
  };

  Member enter() { return Member(state_); }
  // The task as a member, from this call until it ends or is destroyed. To be spawned; what it throws goes to whoever
  // spawned it.
  awaitable<void> run(awaitable<void> task) { return run(enter(), std::move(task)); }
  std::size_t size() const { return state_->members; }
  // Waits until it has no members. False: it still has some at the deadline.
  awaitable<bool> join(Event::Clock::time_point deadline = Event::Clock::time_point::max());

 private:
  static awaitable<void> run(Member member, awaitable<void> task);
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace parley::async
