#pragma once
#include <functional>

#include "common/chassis/loops.hpp"
#include "common/chassis/process.hpp"
#include "contacts/imports/csv.hpp"
#include "contacts/imports/pace.hpp"
#include "contacts/imports/store.hpp"

namespace parley::contacts::imports {

// Processes imports in the background, two at a time, in batches; each commits the new position, where another process
// continues after a crash. While other organizations' imports wait, a turn is only one batch.
class Worker {
 public:
  // Called for imports that ended or were released and, with `failed`, for errors that will be retried.
  using Report = std::function<void(std::string_view what, bool failed)>;
  Worker(boost::asio::io_context& context, Store& store, Report report);

  // Starts the loops and registers the metrics.
  void start(chassis::Process& process);
  // Runs one of the two loops until stop(). Does not throw.
  awaitable<void> run(std::size_t loop) { return loops_.run(loop); }
  // Wakes a loop after an import was queued.
  void notify() { loops_.notify(); }
  // Stops after the current batches and releases the imports.
  awaitable<void> stop() { return loops_.stop(); }

 private:
  class Source;
  struct Stats {
    int running = 0;
    std::uint64_t imported = 0, updated = 0, skipped = 0, failed = 0, failures = 0;
  };

  void failed(const std::string& what);
  awaitable<bool> look();
  awaitable<void> work(Job job);
  awaitable<Applied> work_off(Job& job);
  awaitable<Applied> apply(Job& job, Rows rows, bool last);
  awaitable<void> analyze();
  void show(chassis::Metrics& metrics);

  boost::asio::io_context& context_;
  Store& store_;
  Report report_;
  const model::Uuid owner_ = model::new_uuid();
  std::chrono::steady_clock::time_point next_sweep_{};
  Stats stats_;
  Pace pace_;
  chassis::Loops loops_;
};

}  // namespace parley::contacts::imports
