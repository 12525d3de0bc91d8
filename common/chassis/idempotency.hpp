#pragma once
#include <chrono>

#include "common/async/loop.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/replay_budget.hpp"
#include "common/pg/pool.hpp"

namespace parley::chassis {

// The database that a service's changes commit to (see change.hpp), and the pruning of its recorded responses after 24
// hours, in bounded steps. Every replica prunes, and skips rows that another one is removing.
class Idempotency {
 public:
  Idempotency(Process& process, pg::Pool& database, std::chrono::milliseconds pause = std::chrono::minutes(1));

  void start() { process_.spawn("pruning of recorded answers", loop_.run()); }
  void stop() { loop_.request_stop(); }

 private:
  // Removes one batch; returns the pause before the next one.
  awaitable<std::chrono::milliseconds> prune();

  Process& process_;
  pg::Pool& database_;
  ReplayBudget budget_;
  const std::chrono::milliseconds pause_;
  async::Loop loop_;
};

}  // namespace parley::chassis
