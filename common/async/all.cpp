#include "common/async/all.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <memory>

#include "common/async/event.hpp"

namespace parley::async {

namespace asio = boost::asio;

namespace {

struct Running {
  explicit Running(std::vector<awaitable<void>> works_) : works(std::move(works_)) {}
  std::vector<awaitable<void>> works;
  std::size_t begun = 0, running = 0;
  Event over;
};

awaitable<void> take_turns(std::shared_ptr<Running> state) {
  while (state->begun < state->works.size()) co_await std::move(state->works[state->begun++]);
}

}  // namespace

awaitable<void> all(std::vector<awaitable<void>> works, std::size_t max_at_once) {
  const auto executor = co_await asio::this_coro::executor;
  const auto state = std::make_shared<Running>(std::move(works));
  state->running = std::min(max_at_once, state->works.size());
  for (std::size_t left = state->running; left > 0; --left)
    asio::co_spawn(executor, take_turns(state), [state](std::exception_ptr) {
      if (--state->running == 0) state->over.set();
    });
  if (state->running > 0) co_await state->over.wait();
}

}  // namespace parley::async
