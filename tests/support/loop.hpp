#pragma once
// Runs an io_context until something holds: conditions in place of times.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <concepts>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

namespace parley::support {

// Calls `turn` until the condition holds. A minute without it fails the test.
void wait_until(std::predicate auto&& condition, std::invocable auto&& turn) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > limit) throw std::runtime_error("waited a minute in vain");
    turn();
  }
}

// Runs the context until the condition holds.
void run_until(boost::asio::io_context& context, std::predicate auto&& condition) {
  wait_until(condition, [&] {
    context.restart();
    context.run_one_for(std::chrono::milliseconds(10));
  });
}

// Runs the context until the coroutine ends. Returns its result, or throws what it threw.
template <class T>
T run(boost::asio::io_context& context, boost::asio::awaitable<T> work) {
  bool over = false;
  std::exception_ptr error;
  std::conditional_t<std::is_void_v<T>, int, std::optional<T>> result;
  const auto end = [&](std::exception_ptr thrown, auto&&... value) {
    over = true;
    error = thrown;
    if constexpr (!std::is_void_v<T>)
      if (!thrown) (result.emplace(std::move(value)), ...);
  };
  boost::asio::co_spawn(context, std::move(work), end);
  run_until(context, [&] { return over; });
  if (error) std::rethrow_exception(error);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace parley::support
