// Several coroutines at once.
#include <doctest/doctest.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "common/async/all.hpp"

using namespace parley;
namespace asio = boost::asio;
using asio::awaitable;

TEST_CASE("all: each runs to its end, so many at once, and whoever waits for them goes on behind the last") {
  asio::io_context context;
  asio::steady_timer gate(context, asio::steady_timer::time_point::max());
  int begun = 0, ended = 0;
  bool over = false;
  const auto work = [&](bool waits) -> awaitable<void> {
    ++begun;
    if (waits) co_await gate.async_wait(asio::as_tuple(asio::deferred));
    ++ended;
  };
  const auto run = [&]() -> awaitable<void> {
    std::vector<awaitable<void>> works;
    for (int i = 0; i < 9; ++i) works.push_back(work(i < 2));
    co_await async::all(std::move(works), 3);
    over = true;
  };
  asio::co_spawn(context, run(), [](std::exception_ptr thrown) { CHECK_FALSE(thrown); });
  while (ended < 7) REQUIRE(context.run_one_for(std::chrono::seconds(10)) > 0);
  CHECK_EQ(begun, 9);  // those that wait hold up nobody while there is a place left
  CHECK_FALSE(over);
  gate.cancel();
  while (!over) REQUIRE(context.run_one_for(std::chrono::seconds(10)) > 0);
  CHECK_EQ(ended, 9);
}

TEST_CASE("all: no more at once than so many") {
  asio::io_context context;
  asio::steady_timer gate(context, asio::steady_timer::time_point::max());
  int running = 0, most = 0;
  bool over = false;
  const auto work = [&]() -> awaitable<void> {
    most = std::max(most, ++running);
    co_await gate.async_wait(asio::as_tuple(asio::deferred));
    --running;
  };
  const auto run = [&](std::size_t count) -> awaitable<void> {
    std::vector<awaitable<void>> works;
    for (std::size_t i = 0; i < count; ++i) works.push_back(work());
    co_await async::all(std::move(works), 3);
    over = true;
  };
  for (const std::size_t count : {0U, 2U, 7U}) {
    over = false;
    asio::co_spawn(context, run(count), [](std::exception_ptr thrown) { CHECK_FALSE(thrown); });
    context.restart();
    for (int i = 0; i < 1'000 && !over; ++i) {
      context.poll();
      gate.cancel();
    }
    REQUIRE(over);
  }
  CHECK_EQ(most, 3);
}
