// Work in loops, and what becomes of them when a step throws.
#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "common/chassis/loops.hpp"
#include "common/http/problem.hpp"

using namespace parley;
using namespace std::chrono_literals;
using boost::asio::awaitable;

TEST_CASE("Loops: whatever a step throws is told, and the loop goes on until it is stopped") {
  boost::asio::io_context context;
  int steps = 0;
  std::vector<std::string> told;
  const auto step = [&]() -> awaitable<bool> {
    ++steps;
    if (steps == 1) throw std::runtime_error("an error");
    if (steps == 2) throw http::Problem{.detail = "a problem"};
    if (steps == 3) throw 3;
    co_return false;
  };
  chassis::Loops loops(context, 1, 1ms, step, [&](const std::string& what) { told.push_back(what); });
  boost::asio::co_spawn(context, loops.run(0), [](std::exception_ptr thrown) { CHECK_FALSE(thrown); });
  while (steps < 5) context.run_one();
  bool stopped = false;
  boost::asio::co_spawn(context, loops.stop(), [&](std::exception_ptr) { stopped = true; });
  context.run_for(10s);
  CHECK(stopped);
  CHECK(told == std::vector<std::string>{"an error", "a problem", "unknown"});
}

TEST_CASE("Loops: one that ended by itself is not waited for") {
  boost::asio::io_context context;
  const auto step = []() -> awaitable<bool> {
    throw std::runtime_error("an error");
    co_return false;
  };
  chassis::Loops loops(context, 1, 1ms, step, [](const std::string&) { throw std::runtime_error("cannot tell"); });
  bool ended = false;
  boost::asio::co_spawn(context, loops.run(0), [&](std::exception_ptr) { ended = true; });
  while (!ended) context.run_one();
  bool stopped = false;
  boost::asio::co_spawn(context, loops.stop(), [&](std::exception_ptr) { stopped = true; });
  context.restart();
  context.run_for(10s);
  CHECK(stopped);
}
