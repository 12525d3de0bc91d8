#include "common/http/admission.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>

namespace parley::http {

namespace asio = boost::asio;

namespace {

// A second attempt for every fifth request, and this many a second beside; as many at once as there may be requests,
// all of which one endpoint's end may break.
constexpr double kRetriesARequest = 0.2;
constexpr double kRetriesASecond = 3;

}  // namespace

Admission::Admission(asio::io_context& context, std::size_t places, std::size_t queue, std::chrono::milliseconds time)
    : context_(context), places_(places), queue_(queue), time_(time), budget_(static_cast<double>(places)) {}

Admission::Waiter::Waiter(Admission& admission_) : admission(admission_), timer(admission_.context_) {
  admission.waiting_.push_back(this);
}
Admission::Waiter::~Waiter() { std::erase(admission.waiting_, this); }

awaitable<bool> Admission::enter() {
  if (counted_.in_flight < places_ && waiting_.empty()) {
    ++counted_.in_flight;
    co_return true;
  }
  if (waiting_.size() < queue_) {
    Waiter waiter(*this);
    waiter.timer.expires_after(time_);
    co_await waiter.timer.async_wait(asio::as_tuple(asio::deferred));
    if (waiter.admitted) co_return true;
    ++counted_.late;
  } else {
    ++counted_.queue_full;
  }
  co_return false;
}

void Admission::leave() {
  if (!waiting_.empty()) {  // its place goes to the one that waits longest
    Waiter* const next = waiting_.front();
    waiting_.pop_front();
    next->admitted = true;
    next->timer.cancel();
  } else {
    --counted_.in_flight;
  }
}

void Admission::add_to_budget(Clock::time_point now) {
  const double elapsed = std::chrono::duration<double>(now - budget_at_).count();
  budget_at_ = now;
  budget_ += kRetriesARequest + elapsed * kRetriesASecond;
  budget_ = std::min(budget_, static_cast<double>(places_));
}

// Or a service that is in trouble would get twice the load.
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
  out.queued = waiting_.size();
  return out;
}

}  // namespace parley::http
