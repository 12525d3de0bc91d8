#pragma once
#include <deque>

#include "common/async/loop.hpp"

namespace parley::chassis {

using boost::asio::awaitable;

class Process;

// Work beside the requests, in one loop or several: step after step while there is something to do, a rest when there
// is nothing, and longer ones while steps fail.
class Loops {
 public:
  // A step; false when there is nothing more to do now. Called in each loop, so in several at once.
  using Step = std::function<awaitable<bool>()>;
  using Failed = async::Loop::Failed;

  Loops(boost::asio::io_context& context, std::size_t count, std::chrono::milliseconds rest, Step step, Failed failed);

  // Runs all of them in the process, in whose log they have this name.
  void start(Process& process, const std::string& name);
  // One of them, until stop(). Throws nothing.
  awaitable<void> run(std::size_t number) { return loops_.at(number).run(); }
  // There is something to do: ends the rests.
  void notify();
  // After the steps under way, which may look at stopping() to be short; see async::Loop::stop().
  awaitable<void> stop();
  bool stopping() const { return loops_.front().stopping(); }

 private:
  std::deque<async::Loop> loops_;
};

}  // namespace parley::chassis
