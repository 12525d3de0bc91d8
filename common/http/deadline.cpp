#include "common/http/deadline.hpp"

namespace parley::http {

Deadline::Deadline(DeadlineWheel& wheel, std::function<void()> expire) : expire_(std::move(expire)), wheel_(wheel) {
  after_ = wheel.first_;
  if (after_) after_->before_ = this;
  wheel.first_ = this;
}

Deadline::~Deadline() {
  if (wheel_.next_ == this) wheel_.next_ = after_;
  (before_ ? before_->after_ : wheel_.first_) = after_;
  if (after_) after_->before_ = before_;
}

DeadlineWheel::DeadlineWheel(boost::asio::io_context& context) : timer_(context) { tick(); }

void DeadlineWheel::stop() { timer_.cancel(); }

void DeadlineWheel::tick() {
  now_ = Clock::now();
  for (Deadline* deadline = first_; deadline; deadline = next_) {
    next_ = deadline->after_;
    if (deadline->due_ > now_) continue;
    deadline->clear();
    deadline->expire_();  // may destroy it, or its neighbours
  }
  timer_.expires_after(kTick);
  timer_.async_wait([this](boost::system::error_code error) {
    if (!error) tick();
  });
}

}  // namespace parley::http
