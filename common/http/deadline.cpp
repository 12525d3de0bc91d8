#include "common/http/deadline.hpp"

#include <algorithm>

namespace parley::http {

Deadline::Deadline(DeadlineSweeper& wheel, std::function<void()> expire) : expire_(std::move(expire)), wheel_(wheel) {
  after_ = wheel.first_;
  if (after_) after_->before_ = this;
  wheel.first_ = this;
}

Deadline::~Deadline() {
  if (wheel_.next_ == this) wheel_.next_ = after_;
  (before_ ? before_->after_ : wheel_.first_) = after_;
  if (after_) after_->before_ = before_;
}

DeadlineSweeper::DeadlineSweeper(boost::asio::io_context& context) : timer_(context) { tick(); }

void DeadlineSweeper::stop() { timer_.cancel(); }

void DeadlineSweeper::tick() {
  // Extends all deadlines by the time in which this process was stopped or busy.
  const auto now = Clock::now();
  const auto late = now_ == Clock::time_point{} ? Clock::duration{} : std::max(now - now_ - kTick, Clock::duration{});
  now_ = now;
  for (Deadline* deadline = first_; deadline; deadline = next_) {
    next_ = deadline->after_;
    if (deadline->is_set()) deadline->due_ += late;
    if (deadline->due_ > now_) continue;
    deadline->clear();
    deadline->expire_();  // may destroy this deadline or its neighbours
  }
  timer_.expires_after(kTick);
  timer_.async_wait([this](boost::system::error_code error) {
    if (!error) tick();
  });
}

}  // namespace parley::http
