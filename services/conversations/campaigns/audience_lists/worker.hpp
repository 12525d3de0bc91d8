#pragma once
#include "common/chassis/loops.hpp"
#include "common/chassis/process.hpp"
#include "conversations/campaigns/audience_lists/lists.hpp"
#include "conversations/campaigns/audience_lists/store.hpp"

namespace parley::conversations::audience_lists {

struct Settings {
  std::int64_t most = 10'000;               // contacts per step: the limit of contacts
  std::chrono::milliseconds lease{60'000};  // longer than a step takes
  std::chrono::milliseconds idle_pause{1'000};
  std::chrono::milliseconds retry_pause{5'000};  // of a failed retarget
};

// Makes and fills the lists, in steps for which organizations take turns. Any number of processes may run one and be
// killed at any moment: a repeated step adds and counts its contacts once.
class Worker {
 public:
  Worker(chassis::Process& process, pg::Pool& database, chassis::ServiceClient& contacts, Settings settings = {});

  void start() { loops_.start(process_, "retargets"); }
  // Releases its jobs after the current step.
  awaitable<void> stop() { return loops_.stop(); }

 private:
  awaitable<bool> look();
  awaitable<void> work(Job job);
  awaitable<void> step(Job& job);

  chassis::Process& process_;
  Store store_;
  Lists lists_;
  Settings settings_;
  chassis::Loops loops_;
};

}  // namespace parley::conversations::audience_lists
