#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>

#include "common/model/trace.hpp"

namespace parley::async {

using boost::asio::awaitable;

// Waits until the timer expires or is cancelled; resumes in the trace in which it began to wait.
inline auto wait(boost::asio::steady_timer& timer) {
  return boost::asio::async_initiate<const boost::asio::deferred_t, void()>(
      [&timer](auto handler) {
        timer.async_wait([handler = std::move(handler), trace = model::current_trace](auto) mutable {
          const model::InTrace in_trace(trace);
          std::move(handler)();
        });
      },
      boost::asio::deferred);
}

awaitable<void> pause(std::chrono::steady_clock::duration time);

}  // namespace parley::async
