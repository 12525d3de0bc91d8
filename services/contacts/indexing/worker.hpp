#pragma once
#include <functional>

#include "common/chassis/loops.hpp"
#include "common/chassis/process.hpp"
#include "contacts/imports/pace.hpp"
#include "contacts/indexing/store.hpp"

namespace parley::contacts::indexing {

// Fills the indexes of attributes in the background, in steps, and lets those go that no segment uses. Every process
// runs one.
class Worker {
 public:
  // Called for indexes that are complete and, with `failed`, for errors that will be retried.
  using Report = std::function<void(std::string_view what, bool failed)>;
  Worker(boost::asio::io_context& context, Store& store, Report report);

  // Starts the loop and registers the metrics.
  void start(chassis::Process& process);
  // Stops after the current step.
  awaitable<void> stop() { return loops_.stop(); }

 private:
  awaitable<bool> look();
  awaitable<bool> fill();
  awaitable<void> sweep();
  void show(chassis::Metrics& metrics);

  Store& store_;
  Report report_;
  std::size_t open_ = 0;   // indexes, at the last look
  std::size_t most_ = 10;  // contacts of the next step
  std::uint64_t contacts_ = 0, failures_ = 0;
  std::chrono::steady_clock::time_point next_sweep_{};
  imports::Pace pace_;
  chassis::Loops loops_;
};

}  // namespace parley::contacts::indexing
