#pragma once
#include <deque>

#include "common/async/loop.hpp"

namespace parley::chassis {

using boost::asio::awaitable;

class Process;

// Background work in one or more loops: runs steps while there is work, rests when there is none, and backs off while
// steps fail.
class Loops {
 public:
  // One step; returns false if there is no more work now. Called in every loop, so several may run at once.
  using Step = std::function<awaitable<bool>()>;
  using Failed = async::Loop::Failed;

  Loops(boost::asio::io_context& context, std::size_t count, std::chrono::milliseconds rest, Step step, Failed failed);

  // Runs all loops in the process; `name` is their name in the log.
  void start(Process& process, const std::string& name);
  // Runs one loop until stop(). Does not throw.
  awaitable<void> run(std::size_t number) { return loops_.at(number).run(); }
  // Wakes resting loops, as there is work.
  void notify();
  // Waits for the running steps, which may check stopping() to end early; see async::Loop::stop().
  awaitable<void> stop();
  bool stopping() const { return loops_.front().stopping(); }

 private:
  std::deque<async::Loop> loops_;
};

}  // namespace parley::chassis
