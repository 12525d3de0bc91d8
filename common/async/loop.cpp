#include "common/async/loop.hpp"

#include <algorithm>

#include "common/async/pause.hpp"
#include "common/async/task_group.hpp"

namespace parley::async {

std::string words_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "unknown";
  }
}

awaitable<std::exception_ptr> attempt(awaitable<void> work) {
  std::exception_ptr thrown;
  try {
    co_await std::move(work);
  } catch (...) {
    thrown = std::current_exception();
  }
  co_return thrown;
}

struct Loop::State {
  explicit State(boost::asio::io_context& context) : rest(context) {}
  boost::asio::steady_timer rest;
  TaskGroup running;
  bool stopping = false;
};

Loop::Loop(boost::asio::io_context& context, FailurePauses pauses, Step step, Failed failed)
    : pauses_(pauses), step_(std::move(step)), failed_(std::move(failed)), state_(std::make_shared<State>(context)) {}

awaitable<void> Loop::run() {
  const auto running = state_->running.enter();
  auto after_failure = pauses_.first;
  while (!stopping()) {
    std::exception_ptr thrown;
    std::chrono::milliseconds pause{0};
    try {
      pause = co_await step_();
      after_failure = pauses_.first;
    } catch (...) {
      thrown = std::current_exception();
    }
    if (thrown) {
      pause = std::exchange(after_failure, std::min(2 * after_failure, pauses_.longest));
      try {
        failed_(words_of(thrown));
      } catch (...) {  // a throwing callback must not end the loop
      }
    }
    co_await rest(pause);
  }
}

awaitable<void> Loop::rest(std::chrono::milliseconds time) {
  const auto state = state_;
  if (state->stopping) co_return;
  state->rest.expires_after(time);
  co_await wait(state->rest);
}

void Loop::notify() { state_->rest.cancel(); }

void Loop::request_stop() {
  state_->stopping = true;
  notify();
}

bool Loop::stopping() const { return state_->stopping; }

awaitable<bool> Loop::stop(std::chrono::milliseconds longest) {
  request_stop();
  const auto state = state_;
  co_return co_await state->running.join(Event::Clock::now() + longest);
}

}  // namespace parley::async
