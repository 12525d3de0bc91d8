#pragma once
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include "common/model/trace.hpp"

namespace parley::http {

// Resumes at once in `trace`: restores the current trace after waiting for a socket or timer. See model::current_trace.
inline auto resume_in(const model::TraceContext& trace) {
  return boost::asio::async_initiate<const boost::asio::deferred_t, void()>(
      [trace](auto handler) {
        const model::InTrace in_trace(trace);
        std::move(handler)();
      },
      boost::asio::deferred);
}

}  // namespace parley::http
