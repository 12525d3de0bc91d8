// One question for all who ask in the same turn.
#include <doctest/doctest.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>

#include "common/async/gathering.hpp"

using namespace parley;
namespace asio = boost::asio;
using asio::awaitable;

namespace {

struct Bed {
  using Questions = async::Gathering<std::string, int, int, std::string>;

  asio::io_context context;
  asio::steady_timer gate{context, asio::steady_timer::time_point::max()};
  bool waits = false, fails = false;
  std::vector<std::string> asked, told;
  Questions questions{context, 3, [this](std::string key, int first, std::vector<int> items) {
                        return answer(std::move(key), first, std::move(items));
                      }};

  awaitable<std::string> answer(std::string key, int first, std::vector<int> items) {
    auto text = key + std::to_string(first) + ":";
    for (const int item : items) text += std::to_string(item);
    asked.push_back(text);
    if (waits) co_await gate.async_wait(asio::as_tuple(asio::deferred));
    if (fails) throw std::runtime_error("failed");
    co_return text;
  }
  void wait_for(Questions::Asked question) {
    const auto wait = [](Bed& bed, Questions::Asked one) -> awaitable<void> {
      try {
        const auto answer = co_await one.get();
        bed.told.push_back(*answer);
      } catch (const std::runtime_error& error) {
        bed.told.push_back(error.what());
      }
    };
    asio::co_spawn(context, wait(*this, std::move(question)), asio::detached);
  }
  void ask(const std::string& key, int item, int first = 0) { wait_for(questions.ask(key, item, first)); }
  // Until nothing is left to do but what waits at the gate.
  void run() {
    context.restart();
    while (context.poll() > 0) {
    }
  }
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("gathering: what is asked in one turn is one question, by key, with what the first contributes") {
  Bed bed;
  bed.ask("a", 1, 7);
  bed.ask("b", 1);
  bed.ask("a", 2, 8);
  bed.ask("a", 1, 9);
  CHECK(bed.asked.empty());
  bed.run();
  CHECK(bed.asked == Texts{"a7:12", "b0:1"});
  CHECK(bed.told.size() == 4);
  CHECK(std::ranges::count(bed.told, "a7:12") == 3);
}

TEST_CASE("gathering: a full question is followed by another") {
  Bed bed;
  for (int i = 1; i <= 7; ++i) bed.ask("a", i);
  bed.run();
  CHECK(bed.asked == Texts{"a0:123", "a0:456", "a0:7"});
  CHECK(bed.told.size() == 7);
}

TEST_CASE("gathering: who asks after the question was sent asks anew") {
  Bed bed;
  bed.waits = true;
  bed.ask("a", 1);
  bed.run();
  bed.ask("a", 1);
  bed.run();
  CHECK(bed.asked == Texts{"a0:1", "a0:1"});
  CHECK(bed.told.empty());
  bed.gate.cancel();
  bed.run();
  CHECK(bed.told == Texts{"a0:1", "a0:1"});
}

TEST_CASE("gathering: a failure is told to all who have asked, and to nobody else") {
  Bed bed;
  bed.fails = true;
  bed.ask("a", 1);
  bed.ask("a", 2);
  bed.run();
  CHECK(bed.told == Texts{"failed", "failed"});
  bed.fails = false;
  bed.ask("a", 1);
  bed.run();
  CHECK(bed.told.back() == "a0:1");
}

TEST_CASE("gathering: who asks alone is asked for at once; who has gone disturbs nobody") {
  Bed bed;
  bed.ask("a", 1);
  bed.wait_for(bed.questions.ask_alone("a", 2, 5));
  {
    const auto gone = bed.questions.ask("a", 3);
  }
  bed.run();
  std::ranges::sort(bed.asked);
  CHECK(bed.asked == Texts{"a0:13", "a5:2"});
  CHECK(bed.told.size() == 2);
}

TEST_CASE("gathering: ends with its loop, sent or not") {
  Bed bed;
  bed.waits = true;
  bed.ask("a", 1);
  bed.run();
  bed.ask("b", 1);
  CHECK(bed.asked == Texts{"a0:1"});
  CHECK(bed.told.empty());
}
