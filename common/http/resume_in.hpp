#pragma once
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include "common/model/trace.hpp"

namespace parley::http {

// To be awaited after a wait for a socket or a timer: goes on at once, in the trace that was current before it. See
// model::current_trace.
inline auto resume_in(const model::TraceContext& trace) {
  return boost::asio::async_initiate<const boost::asio::deferred_t, void()>(
      [trace](auto handler) {
        const model::InTrace in_trace(trace);
        std::move(handler)();
      },
      boost::asio::deferred);
}

}  // namespace parley::http
