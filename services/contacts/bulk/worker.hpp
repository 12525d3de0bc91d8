#pragma once
#include <functional>

#include "common/chassis/loops.hpp"
#include "common/chassis/process.hpp"
#include "contacts/bulk/store.hpp"
#include "contacts/imports/pace.hpp"

namespace parley::contacts::bulk {

// Works off bulk changes in the background, one at a time, in steps; each commits the new position, where another
// process continues after a crash. While other organizations' changes wait, a turn is only one step.
class Worker {
 public:
  // Called for changes that ended or were released and, with `failed`, for errors that will be retried.
  using Report = std::function<void(std::string_view what, bool failed)>;
  Worker(boost::asio::io_context& context, Store& store, Report report);

  // Starts the loop and registers the metrics.
  void start(chassis::Process& process);
  // Runs the loop until stop(). Does not throw.
  awaitable<void> run() { return loops_.run(0); }
  // Wakes the loop after a change was queued.
  void notify() { loops_.notify(); }
  // Stops after the current step and releases the change.
  awaitable<void> stop() { return loops_.stop(); }

 private:
  struct Stats {
    int running = 0;
    std::uint64_t changed = 0, unchanged = 0, failed = 0, failures = 0;
  };

  void failed(const std::string& what);
  awaitable<bool> look();
  awaitable<void> work(Job job);
  awaitable<Stepped> step(Job& job);
  void show(chassis::Metrics& metrics);

  Store& store_;
  Report report_;
  const model::Uuid owner_ = model::new_uuid();
  Stats stats_;
  std::chrono::steady_clock::time_point next_sweep_{};
  imports::Pace pace_;
  chassis::Loops loops_;
};

}  // namespace parley::contacts::bulk
