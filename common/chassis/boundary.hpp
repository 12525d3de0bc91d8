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

// What is known of a request beside the request: grows on its way through the pipeline, ends in the log.
struct RequestContext {
  // Of work that nobody asked for, with an id of its own.
  static RequestContext own();

  http::Clock::time_point start = http::Clock::now();
  std::string request_id;
  model::TraceContext trace;      // this process's span; none of work that nobody asked for
  std::uint64_t caller_span = 0;  // 0: the trace begins here
  std::string tracestate;         // the caller's, to be passed on
  RouteMetrics* metrics = nullptr;
  std::string_view pattern;  // of the path, also where its routes do not know the method; "" when there is none
  std::string organization_id;
  std::string credential_id;
  std::string client_address;  // of who asked the gateway, as it says; "" where nobody did
  std::string error;           // what broke, for the log alone
};

// Where every request enters and leaves: ids, metrics, log, and the one place that turns what is thrown into an answer.
class Boundary {
 public:
  // Requests are logged at `access`, failures (5xx) as errors always. Without a tracer nothing is recorded.
  Boundary(Metrics& metrics, Log& log, Level access, Tracer* tracer = nullptr);

  std::unique_ptr<RouteMetrics> route(std::string method, std::string route);
  // Where requests that are tried anew, after a deadlock or the like, are counted; nullptr: nowhere.
  void count_retries(prometheus::Counter* counter) { retries_ = counter; }

  using Work = std::function<awaitable<http::Response>(http::Request&, RequestContext&)>;
  // Runs `work` and answers, whatever it throws.
  awaitable<http::Response> run(http::Request& request, const Work& work);
  // The answer to a message that could not be read.
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
