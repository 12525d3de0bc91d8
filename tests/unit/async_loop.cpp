// Work in a loop, and what becomes of it when a step throws.
#include <doctest/doctest.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "common/async/loop.hpp"
#include "common/http/problem.hpp"

using namespace parley;
using namespace std::chrono_literals;
using boost::asio::awaitable;
using std::chrono::milliseconds;

namespace {

constexpr async::FailurePauses kPauses{1ms, 1ms};

// Runs a loop until `done`, then stops it: true when it ended, and had gone on until then.
bool run(boost::asio::io_context& context, async::Loop& loop, const std::function<bool()>& done) {
  boost::asio::co_spawn(context, loop.run(), [](std::exception_ptr thrown) { CHECK_FALSE(thrown); });
  while (!done())
    if (context.run_one_for(10s) == 0) return false;
  bool stopped = false;
  boost::asio::co_spawn(context, loop.stop(), [&](std::exception_ptr, bool ended) { stopped = ended; });
  context.run_for(10s);
  return stopped;
}

}  // namespace

TEST_CASE("Loop: whatever a step throws is told, and the loop goes on until it is stopped") {
  boost::asio::io_context context;
  int steps = 0;
  std::vector<std::string> told;
  const auto step = [&]() -> awaitable<milliseconds> {
    ++steps;
    if (steps == 1) throw std::runtime_error("an error");
    if (steps == 2) throw http::Problem({.detail = "a problem"});
    if (steps == 3) throw 3;
    co_return 1h;
  };
  async::Loop loop(context, kPauses, step, [&](const std::string& what) { told.push_back(what); });
  CHECK(run(context, loop, [&] { return steps == 4; }));
  CHECK(steps == 4);
  CHECK(told == std::vector<std::string>{"an error", "a problem", "unknown"});
}

TEST_CASE("Loop: other work has its turn, though no step waits for anything and no rest is given") {
  for (const bool fails : {true, false}) {
    boost::asio::io_context context;
    bool others = false;
    int steps = 0;
    async::Loop* running = nullptr;
    const auto step = [&]() -> awaitable<milliseconds> {
      if (++steps == 1) boost::asio::post(context, [&] { others = true; });
      if (steps == 1'000) running->request_stop();  // or it never ends
      if (fails) throw std::runtime_error("an error");
      co_return 0ms;
    };
    async::Loop loop(context, {0ms, 0ms}, step, [](const std::string&) {});
    running = &loop;
    CHECK(run(context, loop, [&] { return others; }));
    CHECK(steps < 1'000);
  }
}

TEST_CASE("Loop: nor does it end when nobody can be told") {
  boost::asio::io_context context;
  int steps = 0;
  const auto step = [&]() -> awaitable<milliseconds> {
    ++steps;
    throw std::runtime_error("an error");
    co_return 0ms;
  };
  async::Loop loop(context, kPauses, step, [](const std::string&) { throw std::runtime_error("cannot tell"); });
  CHECK(run(context, loop, [&] { return steps == 3; }));
}

TEST_CASE("Loop: the rest ends when there is something to do") {
  boost::asio::io_context context;
  int steps = 0;
  const auto step = [&]() -> awaitable<milliseconds> {
    ++steps;
    co_return 1h;
  };
  async::Loop loop(context, kPauses, step, [](const std::string&) {});
  CHECK(run(context, loop, [&] {
    loop.notify();
    return steps == 3;
  }));
}

TEST_CASE("Loop: who stops it waits for the step under way, and no longer than they like") {
  boost::asio::io_context context;
  boost::asio::steady_timer gate(context, boost::asio::steady_timer::time_point::max());
  int steps = 0;
  const auto step = [&]() -> awaitable<milliseconds> {
    ++steps;
    co_await gate.async_wait(boost::asio::as_tuple(boost::asio::deferred));
    co_return 0ms;
  };
  async::Loop loop(context, kPauses, step, [](const std::string&) {});
  boost::asio::co_spawn(context, loop.run(), [](std::exception_ptr) {});
  while (steps == 0) REQUIRE(context.run_one_for(10s) > 0);
  std::vector<bool> ended;
  const auto note = [&](std::exception_ptr, bool stopped) { ended.push_back(stopped); };
  boost::asio::co_spawn(context, loop.stop(1ms), note);
  while (ended.empty()) REQUIRE(context.run_one_for(10s) > 0);
  gate.cancel();
  boost::asio::co_spawn(context, loop.stop(), note);
  context.run_for(10s);
  CHECK(ended == std::vector<bool>{false, true});
  CHECK(steps == 1);
}

TEST_CASE("Loop: a problem is an exception as any other") {
  const auto thrown = std::make_exception_ptr(http::Problem({.status = 404, .detail = "nothing is here"}));
  CHECK(async::words_of(thrown) == "nothing is here");
}
