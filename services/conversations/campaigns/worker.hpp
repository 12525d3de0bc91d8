#pragma once
#include <boost/asio/steady_timer.hpp>

#include "common/chassis/events.hpp"
#include "common/chassis/process.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::campaigns {

using boost::asio::awaitable;

// What happens to campaigns by itself: they start at their time, tell how they stand, and are Finished when they are
// done. Any number of processes may run one.
class Worker {
 public:
  Worker(chassis::Process& process, pg::Pool& database, chassis::EventFeed& feed);

  void start();
  // Waits for the step under way.
  awaitable<void> stop();

  // The steps, each the whole of one transaction. They tell whether there may be more to do.
  awaitable<bool> start_due();         // whose time has come
  awaitable<bool> look();              // at the Running ones
  awaitable<bool> settle_cancelled();  // what was to be sent again for Cancelled ones

 private:
  using Step = awaitable<bool> (Worker::*)();
  awaitable<void> run();
  awaitable<bool> take(Step step);

  chassis::Process& process_;
  pg::Pool& database_;
  chassis::EventFeed& feed_;
  boost::asio::steady_timer timer_;
  bool stopped_ = false, over_ = true;
  std::uint64_t started_ = 0, late_ = 0, finished_ = 0, failures_ = 0;
};

}  // namespace parley::conversations::campaigns
