#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <string>

namespace parley::async {

using boost::asio::awaitable;

// What is said of something that was thrown: what() of a std::exception, else "unknown".
std::string words_of(const std::exception_ptr& thrown);

// Runs `work` to its end and returns what it threw, of whatever type; nullptr when it threw nothing.
awaitable<std::exception_ptr> attempt(awaitable<void> work);

// How long a loop rests after failures: `first` after one, twice as long after each that follows it, up to `longest`.
struct FailurePauses {
  std::chrono::milliseconds first, longest;
};

// Makes one step after the other until it is told to stop. Whatever a step throws, the next one follows.
class Loop {
 public:
  // Returns how long to rest until the next step; other work of the io_context has its turn even at 0.
  using Step = std::function<awaitable<std::chrono::milliseconds>()>;
  // Hears what a step threw.
  using Failed = std::function<void(const std::string& what)>;

  static constexpr std::chrono::seconds kMaxStop{30};

  Loop(boost::asio::io_context& context, FailurePauses pauses, Step step, Failed failed);
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // The loop itself: spawn it once. Throws nothing. The object must live until it has ended.
  awaitable<void> run();
  // Ends the rest, whichever it is: there is something to do.
  void notify();
  // Ends the rest and the loop. A step under way goes on to its end; it may look at stopping() to be short.
  void request_stop();
  // The same, and waits for that end, but no longer than `longest`. False: the step is still under way.
  awaitable<bool> stop(std::chrono::milliseconds longest = kMaxStop);
  bool stopping() const;
  // A rest within a step, which ends as the others do.
  awaitable<void> rest(std::chrono::milliseconds time);

 private:
  struct State;
  const FailurePauses pauses_;
  const Step step_;
  const Failed failed_;
  std::shared_ptr<State> state_;  // also of run(), which is destroyed later than this when its io_context is
};

}  // namespace parley::async
