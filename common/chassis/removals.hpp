#pragma once
#include "common/chassis/process.hpp"
#include "common/removals/worker.hpp"

namespace parley::chassis {

// Background removals in a process, with metrics and log. See common/removals.
class Removals {
 public:
  Removals(Process& process, pg::Pool& database, std::vector<removals::Kind> kinds);

  void start() { process_.spawn("removals", worker_.run()); }
  void stop() { worker_.stop(); }

 private:
  Process& process_;
  removals::Worker worker_;
};

}  // namespace parley::chassis
