#pragma once
#include <chrono>

namespace parley::redis {

// A circuit breaker: after `failures` consecutive failures it rejects commands for `pause`, then admits one as a probe,
// whose outcome closes or reopens it. The caller passes the time.
class Breaker {
 public:
  using Time = std::chrono::steady_clock::time_point;
  enum class State : unsigned char { closed, open, half_open };

  Breaker(unsigned failures, std::chrono::milliseconds pause) : limit_(failures), pause_(pause) {}

  // Whether a command may be sent now. The caller must report each admitted command by succeeded() or failed().
  bool admit(Time now);
  void succeeded();
  void failed(Time now);

  State state() const { return state_; }
  unsigned long long openings() const { return openings_; }

 private:
  void open(Time now);

  unsigned limit_;
  std::chrono::milliseconds pause_;
  State state_ = State::closed;
  unsigned failures_ = 0;
  Time until_{};
  unsigned long long openings_ = 0;
};

}  // namespace parley::redis
