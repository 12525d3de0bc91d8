#pragma once
#include <functional>

#include "common/chassis/loops.hpp"
#include "common/chassis/process.hpp"
#include "contacts/imports/csv.hpp"
#include "contacts/imports/store.hpp"

namespace parley::contacts::imports {

// Works imports off beside the requests: a few at a time, each in batches that move its position in the transaction
// that applies them. Whoever dies, another goes on behind the last batch that was committed. While imports of other
// organizations wait a turn is one batch, so that a short one waits for no long one's end.
class Worker {
 public:
  // Told of imports that ended or were given back, and, `failed`, of what went wrong and will be tried again.
  using Report = std::function<void(std::string_view what, bool failed)>;
  Worker(boost::asio::io_context& context, Store& store, Report report);

  // Begins, shows itself in the process's metrics.
  void start(chassis::Process& process);
  // One of its two loops, until stop(). Throws nothing.
  awaitable<void> run(std::size_t loop) { return loops_.run(loop); }
  // There is one to work off.
  void notify() { loops_.notify(); }
  // Gives back what it works on, after the batch under way.
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
  void show(chassis::Metrics& metrics);

  boost::asio::io_context& context_;
  Store& store_;
  Report report_;
  const model::Uuid owner_ = model::new_uuid();
  std::chrono::steady_clock::time_point next_sweep_{};
  Stats stats_;
  chassis::Loops loops_;
};

}  // namespace parley::contacts::imports
