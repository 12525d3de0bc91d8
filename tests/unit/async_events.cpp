// What coroutines wait for: events, the ends of others, one load for all.
#include <doctest/doctest.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/async/pause.hpp"
#include "common/async/single_flight.hpp"
#include "common/async/task_group.hpp"
#include "common/async/waiter.hpp"

using namespace parley;
namespace asio = boost::asio;
using asio::awaitable;
using async::Event;

namespace {

constexpr auto kPast = Event::Clock::time_point::min();

void spawn(asio::io_context& context, awaitable<void> work) {
  asio::co_spawn(context, std::move(work), [](std::exception_ptr thrown) { CHECK_FALSE(thrown); });
}

// All that can be done now.
void settle(asio::io_context& context) {
  context.restart();
  context.poll();
}

// Appends what came of the wait: "set" or "late".
awaitable<void> note(Event& event, Event::Clock::time_point deadline, std::vector<std::string>& out) {
  const bool is_set = co_await event.wait(deadline);
  out.push_back(is_set ? "set" : "late");
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("Event: all who wait go on when it is set, but not before whoever sets it has gone on") {
  asio::io_context context;
  Event event;
  Texts told;
  for (int i = 0; i < 2; ++i) spawn(context, note(event, Event::Clock::time_point::max(), told));
  settle(context);
  CHECK(told.empty());
  event.set();
  CHECK(event.is_set());
  CHECK(told.empty());
  settle(context);
  CHECK(told == Texts{"set", "set"});
  spawn(context, note(event, kPast, told));  // it does not wait
  settle(context);
  CHECK(told == Texts{"set", "set", "set"});
  event.reset();
  spawn(context, note(event, kPast, told));
  settle(context);
  CHECK(told.back() == "late");
}

TEST_CASE("Event: a pulse wakes those who wait, and nobody who comes later") {
  asio::io_context context;
  Event event;
  Texts told;
  spawn(context, note(event, Event::Clock::time_point::max(), told));
  settle(context);
  event.pulse();
  spawn(context, note(event, kPast, told));
  settle(context);
  std::sort(told.begin(), told.end());
  CHECK(told == Texts{"late", "set"});
}

TEST_CASE("Event: who waits goes on in the trace in which it began to") {
  asio::io_context context;
  Event event;
  model::TraceContext seen;
  const auto trace = model::TraceContext::begin();
  const auto look = [&]() -> awaitable<void> {
    model::current_trace = trace;
    co_await event.wait();
    seen = model::current_trace;
    model::current_trace = {};
  };
  spawn(context, look());
  settle(context);
  model::current_trace = {};
  event.set();
  settle(context);
  CHECK(seen == trace);
  CHECK_FALSE(model::current_trace);
}

TEST_CASE("Event: it may be destroyed before who waits, and who waits before it") {
  Texts told;
  {
    asio::io_context context;
    {
      Event event;
      spawn(context, note(event, Event::Clock::time_point::max(), told));
      settle(context);
    }
    settle(context);
  }
  Event event;
  {
    asio::io_context context;
    spawn(context, note(event, Event::Clock::time_point::max(), told));
    settle(context);
  }
  event.set();
  CHECK(told.empty());
}

TEST_CASE("TaskGroup: whoever joins it goes on behind the last task, however that ends") {
  asio::io_context context;
  async::TaskGroup group;
  Event gate;
  bool joined = false;
  int failures = 0;
  const auto task = [&](bool fails) -> awaitable<void> {
    co_await gate.wait();
    if (fails) throw std::runtime_error("an error");
  };
  const auto join = [&]() -> awaitable<void> {
    const bool is_late = !co_await group.join(kPast);
    CHECK(is_late);
    joined = co_await group.join();
  };
  for (const bool fails : {true, false})
    asio::co_spawn(context, group.run(task(fails)), [&](std::exception_ptr thrown) { failures += thrown ? 1 : 0; });
  CHECK_EQ(group.size(), 2);  // though none of them has begun
  spawn(context, join());
  settle(context);
  CHECK_FALSE(joined);
  gate.set();
  settle(context);
  CHECK(joined);
  CHECK_EQ(failures, 1);
  CHECK_EQ(group.size(), 0);
}

TEST_CASE("TaskGroup: a task that is destroyed has left it, and may be so after the group") {
  async::TaskGroup group;
  {
    asio::io_context context;
    Event gate;
    const auto task = [&]() -> awaitable<void> { co_await gate.wait(); };
    spawn(context, group.run(task()));
    spawn(context, std::make_unique<async::TaskGroup>()->run(task()));
    settle(context);
    CHECK_EQ(group.size(), 1);
  }
  CHECK_EQ(group.size(), 0);
}

namespace {

// Loads of a key that wait until they are told what to give.
struct Loads {
  awaitable<std::string> load() {
    ++begun;
    co_await gate.wait();
    if (error) std::rethrow_exception(error);
    co_return "loaded " + std::to_string(begun);
  }
  awaitable<void> ask(std::string key) {
    try {
      auto text = co_await flights.run(std::move(key), [this] { return load(); });
      told.push_back(std::move(text));
    } catch (const std::exception& thrown) {
      told.emplace_back(thrown.what());
    }
  }
  async::SingleFlight<std::string, std::string> flights;
  Event gate;
  std::exception_ptr error;
  int begun = 0;
  Texts told;
};

}  // namespace

TEST_CASE("SingleFlight: who asks for what is being loaded shares it, be it a value or an error") {
  for (const bool fails : {false, true}) {
    asio::io_context context;
    Loads loads;
    if (fails) loads.error = std::make_exception_ptr(std::runtime_error("an error"));
    for (int i = 0; i < 3; ++i) spawn(context, loads.ask("a key"));
    settle(context);
    CHECK_EQ(loads.begun, 1);
    spawn(context, loads.ask("another"));
    settle(context);
    CHECK_EQ(loads.begun, 2);
    loads.gate.set();
    settle(context);
    const std::string text = fails ? "an error" : "loaded 2";
    CHECK(loads.told == Texts(4, text));
    spawn(context, loads.ask("a key"));  // nothing is remembered
    settle(context);
    CHECK_EQ(loads.begun, 3);
  }
}

TEST_CASE("SingleFlight: when whoever loads is cancelled, one of the others loads for them") {
  asio::io_context context;
  Loads loads;
  loads.error = std::make_exception_ptr(boost::system::system_error(asio::error::operation_aborted));
  for (int i = 0; i < 3; ++i) spawn(context, loads.ask("a key"));
  settle(context);
  loads.gate.pulse();
  settle(context);
  CHECK_EQ(loads.told.size(), 1);  // the one that was cancelled
  CHECK_EQ(loads.begun, 2);
  loads.error = nullptr;
  loads.gate.set();
  settle(context);
  CHECK_EQ(loads.begun, 2);
  CHECK(Texts(loads.told.begin() + 1, loads.told.end()) == Texts(2, "loaded 2"));
}

TEST_CASE("SingleFlight: a loop may end with all who ask") {
  const auto loads = std::make_unique<Loads>();
  {
    asio::io_context context;
    for (int i = 0; i < 3; ++i) spawn(context, loads->ask("a key"));
    settle(context);
  }
  CHECK(loads->told.empty());
  CHECK_EQ(loads->begun, 1);
}

TEST_CASE("Waiter: gives what it is called with, once") {
  asio::io_context context;
  async::Waiter<int> kept;
  int given = 0;
  const auto sleep = [&]() -> awaitable<void> {
    given = co_await async::sleep_until_called<int>([&](async::Waiter<int> waiter) { kept = std::move(waiter); });
  };
  spawn(context, sleep());
  settle(context);
  REQUIRE(kept);
  kept(3);
  CHECK_EQ(given, 3);
  CHECK_FALSE(kept);
}
