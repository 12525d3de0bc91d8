#include "common/async/task_group.hpp"

namespace parley::async {

awaitable<void> TaskGroup::run(Member, awaitable<void> task) { co_await std::move(task); }

awaitable<bool> TaskGroup::join(Event::Clock::time_point deadline) {
  const auto state = state_;
  while (state->members > 0 && co_await state->empty.wait(deadline)) {
  }
  co_return state->members == 0;
}

}  // namespace parley::async
