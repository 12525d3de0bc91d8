#pragma once
#include "common/async/loop.hpp"
#include "common/chassis/process.hpp"
#include "common/pg/pool.hpp"

namespace parley::chassis {

// Removes kept answers (see once.hpp) that are older than 24 hours, a bounded number at a time. Every replica has one:
// what one of them is removing the others pass over.
class OncePruner {
 public:
  OncePruner(Process& process, pg::Pool& database, std::chrono::milliseconds pause = std::chrono::minutes(1));

  void start() { process_.spawn("pruning of kept answers", loop_.run()); }
  void stop() { loop_.request_stop(); }

 private:
  // Removes some; returns how long to wait before the next.
  awaitable<std::chrono::milliseconds> prune();

  Process& process_;
  pg::Pool& database_;
  const std::chrono::milliseconds pause_;
  async::Loop loop_;
};

}  // namespace parley::chassis
