#include "conversations/dispatch/token_bucket.hpp"

#include <algorithm>

namespace parley::conversations::dispatch {

using namespace std::chrono_literals;

namespace {

// A burst is a tenth; the rest is spread over the second, so that no second exceeds the rate.
constexpr double kBurst = 0.1;
constexpr auto kSlowTime = 60s;
constexpr auto kOneWord = 1s;
constexpr double kMinRate = 0.5;

double seconds(TokenBucket::Clock::duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

TokenBucket::TokenBucket(double rate, Clock::time_point now)
    : rate_(rate), burst_(std::max(1.0, rate * kBurst)), counted_(now) {}

TokenBucket::Clock::duration TokenBucket::take(Clock::time_point now) {
  if (rate_ <= 0) return {};
  recover(now);
  const double refill = rate_ * share_ * (1 - kBurst);
  saved_ = std::min(burst_, saved_ + seconds(now - counted_) * refill);
  counted_ = now;
  if (saved_ >= 1) {
    saved_ -= 1;
    return {};
  }
  const auto wait = std::chrono::duration<double>((1 - saved_) / refill);
  return std::max(std::chrono::duration_cast<Clock::duration>(wait), Clock::duration(1ms));
}

void TokenBucket::slow_down(Clock::time_point now) {
  recovers_ = now + kSlowTime;
  if (rate_ <= 0 || now - slowed_ < kOneWord) return;
  slowed_ = now;
  share_ = std::max(share_ / 2, std::min(1.0, kMinRate / rate_));
  saved_ = 0;
}

void TokenBucket::recover(Clock::time_point now) {
  while (share_ < 1 && now >= recovers_) {
    share_ = std::min(1.0, share_ * 2);
    recovers_ += kSlowTime;
  }
}

}  // namespace parley::conversations::dispatch
