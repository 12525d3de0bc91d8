#include "common/http/admission.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>

namespace parley::http {

namespace asio = boost::asio;

namespace {

// The retry budget holds at most one per place, as one endpoint's end may break all requests in flight.
constexpr double kRetriesARequest = 0.2;
constexpr double kRetriesASecond = 3;

}  // namespace

Admission::Admission(asio::io_context& context, std::size_t places, std::size_t queue, std::chrono::milliseconds time)
    : context_(context),
      places_(places),
      queue_(queue),
      time_(time),
      shares_(places),
      budget_(static_cast<double>(places)) {}

Admission::Waiter::Waiter(Admission& admission_, Owner owner_)
    : admission(admission_), owner(owner_), timer(admission_.context_) {
  admission.waiting_.push(owner, this);
}
Admission::Waiter::~Waiter() {
  if (state == waiting) admission.waiting_.take_first([this](const Waiter* each) { return each == this; });
}

// Takes a free place past the waiters: those who wait while one is free have exhausted their share.
awaitable<bool> Admission::enter(Owner owner) {
  if (shares_.may_take(owner)) {
    shares_.take(owner);
    co_return true;
  }
  if (!may_wait(owner)) {
    ++counted_.queue_full;
    co_return false;
  }
  Waiter waiter(*this, owner);
  waiter.timer.expires_after(time_);
  co_await waiter.timer.async_wait(asio::as_tuple(asio::deferred));
  if (waiter.state == Waiter::admitted) co_return true;
  ++(waiter.state == Waiter::sent_away ? counted_.queue_full : counted_.late);
  co_return false;
}

// If the queue is full, this may drop the last waiter of the longest line.
bool Admission::may_wait(Owner owner) {
  if (waiting_.size() < queue_) return true;
  const auto last = waiting_.give_way(owner);
  if (!last) return false;
  (*last)->state = Waiter::sent_away;
  (*last)->timer.cancel();
  return true;
}

void Admission::leave(Owner owner) {
  shares_.give_back(owner);
  const auto may = [this](Owner each) { return shares_.may_take(each); };
  while (const auto next = waiting_.next(may)) {
    shares_.take((*next)->owner);
    (*next)->state = Waiter::admitted;
    (*next)->timer.cancel();
  }
}

void Admission::add_to_budget(Clock::time_point now) {
  const double elapsed = std::chrono::duration<double>(now - budget_at_).count();
  budget_at_ = now;
  budget_ += kRetriesARequest + elapsed * kRetriesASecond;
  budget_ = std::min(budget_, static_cast<double>(places_));
}

// Bounds retries, which would otherwise double the load of a failing service.
bool Admission::may_retry() {
  if (budget_ < 1) {
    ++counted_.retries_denied;
    return false;
  }
  budget_ -= 1;
  ++counted_.retries;
  return true;
}

Admission::Stats Admission::stats() const {
  Stats out = counted_;
  out.in_flight = shares_.taken();
  out.queued = waiting_.size();
  return out;
}

}  // namespace parley::http
