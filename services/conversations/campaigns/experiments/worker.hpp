#pragma once
#include "common/chassis/loops.hpp"
#include "common/chassis/process.hpp"
#include "conversations/campaigns/experiments/store.hpp"

namespace parley::conversations::experiments {

// Notes the ends of test parts, and decides when it is time. Any number of processes may run one.
class Worker {
 public:
  Worker(chassis::Process& process, pg::Pool& database);

  void start() { loops_.start(process_, "experiments"); }
  // Waits for the current step.
  awaitable<void> stop() { return loops_.stop(); }

  // Returns whether there may be more to do.
  awaitable<bool> look();

 private:
  chassis::Process& process_;
  Store store_;
  std::uint64_t decided_ = 0, failures_ = 0;
  chassis::Loops loops_;
};

}  // namespace parley::conversations::experiments
