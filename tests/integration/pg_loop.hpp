#pragma once
// An io_context, a pool on it and coroutines run to their end, for the tests of common/pg.

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
#include <string>
#include <utility>

#include "common/pg/pool.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/servers.hpp"

namespace parley::pg_tests {

namespace asio = boost::asio;
using asio::awaitable;
using namespace std::chrono_literals;

// One private server for the tests that leave it as they found it.
inline support::PostgresServer& shared_server() {
  static support::PostgresServer server;
  return server;
}

inline pg::Settings settings_for(const support::PostgresServer& server) {
  pg::Settings settings;
  settings.url = server.url();
  return settings;
}

// Each lane has a connection. A lane that had none for long refuses at once, also where the test did not turn the loop.
inline bool is_connected(const pg::Pool& pool) {
  const auto slow = pool.stats(pg::Lane::slow);
  return pool.available() && (slow.connections > 0 || slow.configured == 0);
}

class Loop {
 public:
  explicit Loop(pg::Settings settings) : pool(context_, std::move(settings)) { pool.start(); }
  explicit Loop(const support::PostgresServer& server) : Loop(settings_for(server)) {}

  asio::io_context& context() { return context_; }

  // Turns the loop until the condition holds; a minute without is a failure of the test.
  void until(const std::function<bool()>& condition) { support::run_until(context_, condition); }
  // Starts a coroutine; `running` counts those that have not ended. What one throws ends the test.
  void launch(awaitable<void> work) {
    ++running;
    asio::co_spawn(context_, std::move(work), [this](std::exception_ptr error) {
      --running;
      if (error) std::rethrow_exception(error);
    });
  }
  void run_for(std::chrono::milliseconds time) {
    context_.restart();
    context_.run_for(time);
  }
  void finish() {
    until([this] { return running == 0; });
  }
  void run(awaitable<void> work) {
    launch(std::move(work));
    finish();
  }
  template <class T>
  T run(awaitable<T> work) {
    return support::run(context_, std::move(work));
  }
  void wait_until_available() {
    until([this] { return is_connected(pool); });
  }

 private:
  asio::io_context context_{1};

 public:
  pg::Pool pool;
  int running = 0;
};

inline awaitable<void> pause_for(std::chrono::microseconds time) {
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(asio::deferred);
}

}  // namespace parley::pg_tests
