#pragma once
#include <map>

#include "common/async/loop.hpp"
#include "common/async/task_group.hpp"
#include "conversations/dispatch/sender_worker.hpp"

namespace parley::conversations::dispatch {

// One of several dispatchers: takes numbers that have something to send and no owner, sends for them, and releases them
// when idle. After a crash, other dispatchers take its numbers once the lease expires.
class Worker {
 public:
  Worker(chassis::Process& process, pg::Pool& database, channel::Accounts& accounts, channel::Client& client,
         const Settings& settings);

  void start();
  // Begins nothing more; waits until messages in flight are answered and recorded and the numbers released.
  awaitable<void> stop();

 private:
  using Clock = SenderWorker::Clock;
  using milliseconds = std::chrono::milliseconds;
  using Step = awaitable<milliseconds> (Worker::*)();

  async::Loop loop(Step step, milliseconds after_failure);
  awaitable<milliseconds> look();
  awaitable<milliseconds> renew();
  awaitable<milliseconds> keep_house();
  awaitable<milliseconds> measure();
  void adopt(const Taken& taken, Clock::time_point lease_end);
  awaitable<void> work(NumberId id, std::shared_ptr<SenderWorker> number);
  void show();

  chassis::Process& process_;
  const Settings settings_;
  const model::Uuid owner_ = model::new_uuid();
  Store store_;
  CampaignStore campaign_store_;
  DispatchContext context_;
  std::map<NumberId, std::shared_ptr<SenderWorker>> numbers_;
  async::TaskGroup working_;  // one task for each number
  NumberId after_{};          // where the next look begins
  Depth depth_;
  async::Loop looking_, renewing_, housekeeping_, measuring_;
  bool stopped_ = false;
};

}  // namespace parley::conversations::dispatch
