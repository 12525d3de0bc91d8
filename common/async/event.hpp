#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/intrusive/list.hpp>
#include <chrono>

namespace parley::async {

using boost::asio::awaitable;

// A manual-reset event: coroutines wait until it is set. All of this is for one thread, that of the io_context in which
// they run. Whoever waits is resumed by the io_context, never within set(), and in the trace in which it began to wait.
// It may be destroyed while it waits, and so may the event: it is only not woken by it any more.
class Event {
 public:
  using Clock = std::chrono::steady_clock;

  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  bool is_set() const { return is_set_; }
  // Wakes all who wait. Who comes later does not wait, until reset().
  void set();
  void reset() { is_set_ = false; }
  // Wakes all who wait at this moment; who comes later waits for the next time.
  void pulse();
  // False: nobody woke it before the deadline.
  awaitable<bool> wait(Clock::time_point deadline = Clock::time_point::max());

 private:
  struct Waiter;
  using Hook = boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;
  boost::intrusive::list<Hook, boost::intrusive::base_hook<Hook>, boost::intrusive::constant_time_size<false>> waiters_;
  bool is_set_ = false;
};

}  // namespace parley::async
