#include "common/async/event.hpp"

#include <boost/asio/this_coro.hpp>

#include "common/async/pause.hpp"

namespace parley::async {

struct Event::Waiter : Hook {
  Waiter(const boost::asio::any_io_executor& executor, Clock::time_point deadline) : timer(executor, deadline) {}
  boost::asio::steady_timer timer;
  bool is_woken = false;
};

void Event::set() {
  is_set_ = true;
  pulse();
}

void Event::pulse() {
  while (!waiters_.empty()) {
    auto& waiter = static_cast<Waiter&>(waiters_.front());
    waiters_.pop_front();
    waiter.is_woken = true;
    waiter.timer.cancel();
  }
}

awaitable<bool> Event::wait(Clock::time_point deadline) {
  if (is_set_) co_return true;
  Waiter waiter(co_await boost::asio::this_coro::executor, deadline);
  waiters_.push_back(waiter);
  co_await async::wait(waiter.timer);
  co_return waiter.is_woken;
}

}  // namespace parley::async
