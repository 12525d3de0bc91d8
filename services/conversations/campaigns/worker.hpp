#pragma once
#include <array>

#include "common/chassis/events.hpp"
#include "common/chassis/loops.hpp"
#include "common/chassis/process.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::campaigns {

using boost::asio::awaitable;

// Starts campaigns on time, emits their progress and finishes them. Any number of processes may run one.
class Worker {
 public:
  Worker(chassis::Process& process, pg::Pool& database);

  void start() { loops_.start(process_, "campaigns"); }
  // Waits for the current step.
  awaitable<void> stop() { return loops_.stop(); }

  // The steps, each one transaction. They return whether there may be more to do.
  awaitable<bool> start_due();      // starts campaigns that are due
  awaitable<bool> look();           // progress of Running campaigns
  awaitable<bool> settle_ended();   // retries of Cancelled and Finished campaigns
  awaitable<bool> forget_merges();  // merged contacts whose campaigns are over; scans the next few of all
  awaitable<bool> fold();           // counts of past quarters of an hour

 private:
  using Step = awaitable<bool> (Worker::*)();
  // A step that found nothing more to do is not repeated before its pause ends.
  struct Task {
    Step step;
    std::chrono::milliseconds pause;
    std::chrono::steady_clock::time_point next{};
  };
  awaitable<bool> take_all();
  awaitable<bool> take(Step step);
  void failed(const std::string& what);

  chassis::Process& process_;
  pg::Pool& database_;
  std::array<Task, 5> tasks_;
  model::Uuid looked_at_organization_{}, looked_at_contact_{};  // the last merge scanned
  std::uint64_t started_ = 0, late_ = 0, finished_ = 0, failures_ = 0;
  chassis::Loops loops_;
};

}  // namespace parley::conversations::campaigns
