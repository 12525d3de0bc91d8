#pragma once
// One io_context with a Redis client on it, for tests that run coroutines to their end.

#include <doctest/doctest.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "common/redis/client.hpp"
#include "tests/support/loop.hpp"

namespace parley::redis_tests {

namespace asio = boost::asio;
using asio::awaitable;
using namespace std::chrono_literals;

// Turns the loop until the condition holds; 30 s without is a failure of the test.
inline void turn_until(asio::io_context& context, const std::function<bool()>& condition) {
  support::run_until(context, condition);
}

// Starts a coroutine; counts it in `running` until it has ended. What it throws ends the test.
inline void launch(asio::io_context& context, int& running, awaitable<void> work) {
  ++running;
  asio::co_spawn(context, std::move(work), [&running](std::exception_ptr error) {
    --running;
    if (error) std::rethrow_exception(error);
  });
}

template <class T>
T run(asio::io_context& context, awaitable<T> work) {
  std::exception_ptr error;
  std::optional<T> result;
  asio::co_spawn(context, std::move(work), [&](std::exception_ptr e, T value) {
    error = e;
    result = std::move(value);
  });
  turn_until(context, [&] { return result.has_value(); });
  if (error) std::rethrow_exception(error);
  return std::move(*result);
}

inline awaitable<void> pause_for(std::chrono::microseconds time) {
  auto executor = co_await asio::this_coro::executor;
  asio::steady_timer timer(executor, time);
  co_await timer.async_wait(asio::deferred);
}

inline void turn_for(asio::io_context& context, std::chrono::milliseconds time) {
  auto limit = std::chrono::steady_clock::now() + time;
  turn_until(context, [&] { return std::chrono::steady_clock::now() >= limit; });
}

struct Loop {
  explicit Loop(redis::Settings settings) : client(context.get_executor(), std::move(settings)) { client.open(); }
  explicit Loop(const std::string& url) : Loop(redis::Settings{.url = url}) {}

  void wait_up() {
    turn_until(context, [&] { return client.up(); });
  }
  void wait_down() {
    turn_until(context, [&] { return !client.up(); });
  }
  // With a deadline that a busy machine keeps.
  redis::Reply command(std::initializer_list<std::string_view> words, std::chrono::milliseconds deadline = 10s) {
    return run(context, client.command(words, deadline));
  }

  asio::io_context context{1};
  redis::Client client;
};

}  // namespace parley::redis_tests
