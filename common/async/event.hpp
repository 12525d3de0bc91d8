#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/intrusive/list.hpp>
#include <chrono>

namespace parley::async {

using boost::asio::awaitable;

// A manual-reset event, for one thread. The io_context resumes a waiter, never set() itself, in the trace in which it
// began to wait. Waiters and the event may be destroyed in any order; a destroyed event wakes no one.
class Event {
 public:
  using Clock = std::chrono::steady_clock;

  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  bool is_set() const { return is_set_; }
  // Wakes all waiters; later calls of wait() return at once, until reset().
  void set();
  void reset() { is_set_ = false; }
  // Wakes the present waiters; later ones wait for the next time.
  void pulse();
  // Returns false when the deadline passed first.
  awaitable<bool> wait(Clock::time_point deadline = Clock::time_point::max());

 private:
  struct Waiter;
  using Hook = boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;
  boost::intrusive::list<Hook, boost::intrusive::base_hook<Hook>, boost::intrusive::constant_time_size<false>> waiters_;
  bool is_set_ = false;
};

}  // namespace parley::async
