#include "common/async/loop.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>

namespace parley::async {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

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
  explicit State(asio::io_context& context_) : context(context_), rest(context_) {}
  asio::io_context& context;
  asio::steady_timer rest;
  int running = 0;
  bool stopping = false;
};

Loop::Loop(asio::io_context& context, FailurePauses pauses, Step step, Failed failed)
    : pauses_(pauses), step_(std::move(step)), failed_(std::move(failed)), state_(std::make_shared<State>(context)) {}

awaitable<void> Loop::run() {
  struct Running {
    explicit Running(std::shared_ptr<State> state_) : state(std::move(state_)) { ++state->running; }
    ~Running() { --state->running; }
    std::shared_ptr<State> state;
  } const running(state_);
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
      } catch (...) {  // then nobody hears of it
      }
    }
    co_await rest(pause);
  }
}

awaitable<void> Loop::rest(std::chrono::milliseconds time) {
  const auto state = state_;
  if (state->stopping) co_return;
  state->rest.expires_after(time);
  co_await state->rest.async_wait(asio::as_tuple(asio::deferred));
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
  asio::steady_timer timer(state->context);
  for (const auto limit = Clock::now() + longest; state->running > 0 && Clock::now() < limit;) {
    timer.expires_after(5ms);
    co_await timer.async_wait(asio::as_tuple(asio::deferred));
  }
  co_return state->running == 0;
}

}  // namespace parley::async
