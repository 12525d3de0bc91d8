#pragma once
#include <memory>

#include "common/async/event.hpp"

namespace parley::async {

// Lets a parent wait for the ends of spawned coroutines. For one thread. Tasks may be destroyed after the group.
class TaskGroup {
  struct State {
    std::size_t members = 0;
    Event empty;  // pulsed when the last member has left
  };

 public:
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
  // A member from this call until the task ends or is destroyed. Spawn the result, which rethrows the task's exception.
  awaitable<void> run(awaitable<void> task) { return run(enter(), std::move(task)); }
  std::size_t size() const { return state_->members; }
  // Returns false if members remain at the deadline.
  awaitable<bool> join(Event::Clock::time_point deadline = Event::Clock::time_point::max());

 private:
  static awaitable<void> run(Member member, awaitable<void> task);
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace parley::async
