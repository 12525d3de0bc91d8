#pragma once
#include <chrono>

#include "common/async/loop.hpp"
#include "common/chassis/process.hpp"
#include "common/chassis/replay_budget.hpp"
#include "common/pg/pool.hpp"

namespace parley::chassis {

// What a service needs whose routes change something: the database that they commit to (see change.hpp), and the
// recorded answers in it, which it removes after 24 hours, a bounded number at a time. Every replica removes some: what
// another one is removing it passes over.
class Idempotency {
 public:
  Idempotency(Process& process, pg::Pool& database, std::chrono::milliseconds pause = std::chrono::minutes(1));

  void start() { process_.spawn("pruning of recorded answers", loop_.run()); }
  void stop() { loop_.request_stop(); }

 private:
  // Removes some; returns how long to wait before the next.
  awaitable<std::chrono::milliseconds> prune();

  Process& process_;
  pg::Pool& database_;
  ReplayBudget budget_;
  const std::chrono::milliseconds pause_;
  async::Loop loop_;
};

}  // namespace parley::chassis
