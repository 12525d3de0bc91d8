#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "common/chassis/log.hpp"
#include "common/chassis/metrics.hpp"
#include "common/http/deadline.hpp"
#include "common/http/message.hpp"
#include "common/model/trace.hpp"

namespace parley::chassis {

using boost::asio::awaitable;

// One route's metrics, resolved once.
class RouteMetrics {
 public:
  RouteMetrics(prometheus::Family<prometheus::Counter>& requests, prometheus::Family<prometheus::Histogram>& durations,
               std::string method, std::string route);
  void observe(unsigned status, double seconds);
  const std::string& route() const { return route_; }

 private:
  prometheus::Counter& counter_of(unsigned status);
  prometheus::Family<prometheus::Counter>& requests_;
  std::string method_, route_;
  prometheus::Histogram& duration_;
  std::map<unsigned, prometheus::Counter*> by_status_;
};

class Tracer;

// Everything known about a request beside the request itself; filled along the pipeline and logged at its end.
struct RequestContext {
  // A context for background work, with a request id of its own.
  static RequestContext own();

  http::Clock::time_point start = http::Clock::now();
  std::string request_id;
  model::TraceContext trace;      // this process's span; empty for background work
  std::uint64_t caller_span = 0;  // 0: the trace begins here
  std::string tracestate;         // received from the caller, passed on
  RouteMetrics* metrics = nullptr;
  std::string_view pattern;  // the route's path pattern, also set when the method is unknown; "" if no path matches
  std::string organization_id;
  std::string credential_id;
  std::string client_address;  // the gateway's client, as the gateway reports it; "" for background work
  std::string error;           // the failure's cause, for the log only
};

// Entry and exit of every request: request ids, metrics, log, and the only mapping of exceptions to responses.
class Boundary {
 public:
  // Logs requests at level `access`, and failures (5xx) always as errors. Without a tracer no spans are recorded.
  Boundary(Metrics& metrics, Log& log, Level access, Tracer* tracer = nullptr);

  std::unique_ptr<RouteMetrics> route(std::string method, std::string route);
  // The counter of requests that are retried, such as after a deadlock; nullptr counts nothing.
  void count_retries(prometheus::Counter* counter) { retries_ = counter; }

  using Work = std::function<awaitable<http::Response>(http::Request&, RequestContext&)>;
  // Runs `work` and returns a response, whatever `work` throws.
  awaitable<http::Response> run(http::Request& request, const Work& work);
  // The response to a message that could not be parsed.
  http::Response unreadable(unsigned status, std::string_view reason, std::string_view remote_address);

 private:
  void trace(const http::Request& request, RequestContext& scope) const;
  awaitable<http::Response> attempt(http::Request& request, RequestContext& scope, const Work& work);
  void finish(const http::Request& request, RequestContext& scope, http::Response& response);
  void record(const http::Request& request, const RequestContext& scope, unsigned status) const;

  Log& log_;
  Level access_;
  Tracer* tracer_;
  prometheus::Family<prometheus::Counter>& requests_;
  prometheus::Family<prometheus::Histogram>& durations_;
  RouteMetrics unmatched_;
  prometheus::Counter* retries_ = nullptr;
};

}  // namespace parley::chassis
