#pragma once
#include <chrono>

namespace parley::conversations::dispatch {

// How fast one number sends: so many messages in any second, half of that for a minute after the channel found it too
// fast, and then more again. It begins with nothing saved up.
class TokenBucket {
 public:
  using Clock = std::chrono::steady_clock;

  // Messages a second; 0 is as fast as it goes.
  TokenBucket(double rate, Clock::time_point now);

  // Zero: one may be sent now, and is counted. Otherwise how long to wait before asking again.
  Clock::duration take(Clock::time_point now);
  // The channel said that the number sends too fast. What it says within a second is one word.
  void slow_down(Clock::time_point now);
  // As it is now, a second.
  double rate() const { return rate_ * share_; }

 private:
  void recover(Clock::time_point now);

  double rate_, burst_;
  double share_ = 1;  // of the rate
  double saved_ = 0;
  Clock::time_point counted_, slowed_{}, recovers_{};
};

}  // namespace parley::conversations::dispatch
