#pragma once
#include <boost/asio/steady_timer.hpp>

#include "common/chassis/process.hpp"
#include "common/pg/pool.hpp"

namespace parley::chassis {

// Removes kept answers (see once.hpp) that are older than 24 hours, a bounded number at a time. Every replica has one:
// what one of them is removing the others pass over.
class OncePruner {
 public:
  OncePruner(Process& process, pg::Pool& database, std::chrono::milliseconds pause = std::chrono::minutes(1));

  void start() { process_.spawn("pruning of kept answers", run()); }
  void stop();

 private:
  awaitable<void> run();
  // Removes some; false when there may be more.
  awaitable<bool> prune();

  Process& process_;
  pg::Pool& database_;
  std::chrono::milliseconds pause_;
  boost::asio::steady_timer timer_;
  bool stopped_ = false;
};

}  // namespace parley::chassis
