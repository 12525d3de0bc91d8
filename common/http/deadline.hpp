#pragma once
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>

namespace parley::http {

using Clock = std::chrono::steady_clock;

class DeadlineSweeper;

// A deadline. When it passes, `expire` is called once, never early and at most about 200 ms late; time in which the
// loop did not run does not count. A member of the object that it guards; unlinks itself.
class Deadline {
 public:
  Deadline(DeadlineSweeper& wheel, std::function<void()> expire);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  void set(Clock::duration from_now);
  void clear() { due_ = Clock::time_point::max(); }
  // Requires is_set().
  Clock::duration left() const;
  bool is_set() const { return due_ != Clock::time_point::max(); }

 private:
  friend class DeadlineSweeper;
  Clock::time_point due_ = Clock::time_point::max();
  std::function<void()> expire_;
  DeadlineSweeper& wheel_;
  Deadline* before_ = nullptr;
  Deadline* after_ = nullptr;
};

// One coarse timer for all deadlines of a process: setting a deadline costs an addition instead of a system call.
class DeadlineSweeper {
 public:
  explicit DeadlineSweeper(boost::asio::io_context& context);
  void stop();
  Clock::time_point now() const { return now_; }  // when it last ticked

 private:
  friend class Deadline;
  void tick();
  boost::asio::steady_timer timer_;
  Clock::time_point now_;  // when it last ticked
  Deadline* first_ = nullptr;
  Deadline* next_ = nullptr;  // the deadline that a running sweep visits next
};

inline constexpr std::chrono::milliseconds kTick{100};

inline void Deadline::set(Clock::duration from_now) { due_ = wheel_.now_ + kTick + from_now; }
inline Clock::duration Deadline::left() const { return due_ - kTick - wheel_.now_; }

}  // namespace parley::http
