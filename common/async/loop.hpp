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

// what() of a std::exception, else "unknown".
std::string words_of(const std::exception_ptr& thrown);

// Returns what `work` threw, of any type, or nullptr.
awaitable<std::exception_ptr> attempt(awaitable<void> work);

// The rest after failures: `first` after one, doubled after each consecutive one, up to `longest`.
struct FailurePauses {
  std::chrono::milliseconds first, longest;
};

// Runs steps one after the other until stopped, whatever they throw.
class Loop {
 public:
  // Returns the rest until the next step; other work of the io_context runs even at 0.
  using Step = std::function<awaitable<std::chrono::milliseconds>()>;
  using Failed = std::function<void(const std::string& what)>;

  static constexpr std::chrono::seconds kMaxStop{30};

  Loop(boost::asio::io_context& context, FailurePauses pauses, Step step, Failed failed);
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // The loop: spawn it once. Throws nothing. The object must live until run() has ended.
  awaitable<void> run();
  // Ends the current rest: there is work to do.
  void notify();
  // Ends the current rest and the loop. A running step completes; it may check stopping() to end early.
  void request_stop();
  // Calls request_stop() and waits at most `longest` for the end. Returns false if the step is still running.
  awaitable<bool> stop(std::chrono::milliseconds longest = kMaxStop);
  bool stopping() const;
  // Rests within a step; notify() and request_stop() end this rest too.
  awaitable<void> rest(std::chrono::milliseconds time);

 private:
  struct State;
  const FailurePauses pauses_;
  const Step step_;
  const Failed failed_;
  std::shared_ptr<State> state_;  // shared with run(), which outlives this when its io_context is destroyed
};

}  // namespace parley::async
