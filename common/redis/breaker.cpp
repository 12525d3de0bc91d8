#include "common/redis/breaker.hpp"

namespace parley::redis {

bool Breaker::admit(Time now) {
  if (state_ == State::closed) return true;
  if (state_ == State::half_open || now < until_) return false;
  state_ = State::half_open;
  return true;
}

void Breaker::succeeded() {
  state_ = State::closed;
  failures_ = 0;
}

void Breaker::failed(Time now) {
  if (state_ == State::open) return;  // the command was sent before the breaker opened
  if (state_ == State::half_open || ++failures_ >= limit_) open(now);
}

void Breaker::open(Time now) {
  state_ = State::open;
  until_ = now + pause_;
  failures_ = 0;
  ++openings_;
}

}  // namespace parley::redis
