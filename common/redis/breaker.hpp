#pragma once
#include <chrono>

namespace parley::redis {

// A circuit breaker: after so many failures on end it lets nothing through for a while, then one command as a probe,
// whose outcome closes or opens it again. Times are the caller's, so that it needs no clock.
class Breaker {
 public:
  using Time = std::chrono::steady_clock::time_point;
  enum class State : unsigned char { closed, open, half_open };

  Breaker(unsigned failures, std::chrono::milliseconds pause) : limit_(failures), pause_(pause) {}

  // Whether a command may go now. Whatever is admitted must be followed by succeeded() or failed().
  bool admit(Time now);
  // An answer in time: whoever's it was, Redis serves.
  void succeeded();
  void failed(Time now);

  State state() const { return state_; }
  // How often it has opened.
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
