#pragma once
#include <array>

#include "common/chassis/events.hpp"
#include "common/chassis/loops.hpp"
#include "common/chassis/process.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::campaigns {

using boost::asio::awaitable;

// What happens to campaigns by itself: they start at their time, tell how they stand, and are Finished when they are
// done. Any number of processes may run one.
class Worker {
 public:
  Worker(chassis::Process& process, pg::Pool& database);

  void start() { loops_.start(process_, "campaigns"); }
  // Waits for the step under way.
  awaitable<void> stop() { return loops_.stop(); }

  // The steps, each the whole of one transaction. They tell whether there may be more to do.
  awaitable<bool> start_due();      // whose time has come
  awaitable<bool> look();           // at the Running ones
  awaitable<bool> settle_ended();   // what was to be sent again for Cancelled and Finished ones
  awaitable<bool> forget_merges();  // of contacts whose campaigns are over: at the next few of all that there are
  awaitable<bool> fold();           // the counts of quarters that are over

 private:
  using Step = awaitable<bool> (Worker::*)();
  // A step that found nothing more to do is not made again before its pause is over.
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
  model::Uuid looked_at_organization_{}, looked_at_contact_{};  // the merge that was looked at last
  std::uint64_t started_ = 0, late_ = 0, finished_ = 0, failures_ = 0;
  chassis::Loops loops_;
};

}  // namespace parley::conversations::campaigns
