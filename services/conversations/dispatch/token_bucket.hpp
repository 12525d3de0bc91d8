#pragma once
#include <chrono>

namespace parley::conversations::dispatch {

// The rate limit of one number in any second, halved for a minute when the channel finds it too fast. Begins empty.
class TokenBucket {
 public:
  using Clock = std::chrono::steady_clock;

  // `rate`: messages per second; 0: no limit.
  TokenBucket(double rate, Clock::time_point now);

  // Zero: one message may be sent now, and is counted. Otherwise the time to wait before the next call.
  Clock::duration take(Clock::time_point now);
  // Call when the channel reports too high a rate. Reports within one second count once.
  void slow_down(Clock::time_point now);
  // The current rate, in messages per second.
  double rate() const { return rate_ * share_; }

 private:
  void recover(Clock::time_point now);

  double rate_, burst_;
  double share_ = 1;  // of the rate
  double saved_ = 0;
  Clock::time_point counted_, slowed_{}, recovers_{};
};

}  // namespace parley::conversations::dispatch
