#pragma once
#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <utility>

#include "common/model/trace.hpp"

namespace parley::async {

// Resumes a sleeping coroutine, once, with the given values, in the trace in which it fell asleep. Destroying the
// waiter destroys the coroutine. Moves swap: in Boost 1.81 the move assignment of any_completion_handler never ends.
template <class... Given>
class Waiter {
 public:
  using Handler = boost::asio::any_completion_handler<void(Given...)>;

  Waiter() = default;
  explicit Waiter(Handler handler) : handler_(std::move(handler)) {}
  Waiter(Waiter&& other) noexcept : trace_(other.trace_) { handler_.swap(other.handler_); }
  Waiter& operator=(Waiter&& other) noexcept {
    handler_.swap(other.handler_);
    std::swap(trace_, other.trace_);
    return *this;
  }

  explicit operator bool() const { return static_cast<bool>(handler_); }
  void operator()(Given... given) {
    const model::InTrace in_trace(trace_);
    std::move(handler_)(std::move(given)...);
  }

 private:
  Handler handler_;
  model::TraceContext trace_ = model::current_trace;
};

// Puts the coroutine to sleep and passes its waiter to `keep`; returns what the waiter is called with.
template <class... Given, class Keep>
auto sleep_until_called(Keep keep) {
  return boost::asio::async_initiate<const boost::asio::deferred_t, void(Given...)>(
      [keep = std::move(keep)](auto handler) mutable {
        keep(Waiter<Given...>(typename Waiter<Given...>::Handler(std::move(handler))));
      },
      boost::asio::deferred);
}

}  // namespace parley::async
