#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace parley::chassis {

using boost::asio::awaitable;

class Process;

// Work beside the requests, in one loop or several: step after step while there is something to do, a rest when there
// is nothing, or when a step failed.
class Loops {
 public:
  // A step; false when there is nothing more to do now. Called in each loop, so in several at once.
  using Step = std::function<awaitable<bool>()>;
  // What a step threw. It is tried again after the rest.
  using Failed = std::function<void(const std::string& what)>;

  Loops(boost::asio::io_context& context, std::size_t count, std::chrono::milliseconds rest, Step step, Failed failed);

  // Runs all of them in the process, in whose log they have this name.
  void start(Process& process, const std::string& name);
  // One of them, until stop(). Throws nothing.
  awaitable<void> run(std::size_t number);
  // There is something to do: ends the rests.
  void kick();
  // After the steps under way, which may look at stopping() to be short.
  awaitable<void> stop();
  bool stopping() const { return stopping_; }

 private:
  boost::asio::io_context& context_;
  const std::chrono::milliseconds rest_;
  const Step step_;
  const Failed failed_;
  std::vector<boost::asio::steady_timer> rests_;  // one a loop
  int running_ = 0;
  bool stopping_ = false;
};

}  // namespace parley::chassis
