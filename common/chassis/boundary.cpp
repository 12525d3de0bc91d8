#include "common/chassis/boundary.hpp"

#include <algorithm>
#include <exception>
#include <optional>

#include "common/chassis/tracing.hpp"
#include "common/http/problem.hpp"
#include "common/http/resume_in.hpp"
#include "common/http/upstream.hpp"
#include "common/model/text.hpp"
#include "common/pg/error.hpp"

namespace parley::chassis {

namespace {

constexpr int kAttempts = 3;

bool is_request_id(std::string_view text) {
  return !text.empty() && text.size() <= 128 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  });
}

http::Problem temporarily(std::string detail) {
  return http::Problem({.status = 503, .detail = std::move(detail), .head = "Retry-After: 1\r\n"});
}

// Maps any exception to a Problem. The response to an internal error gives no details.
http::Problem problem_of(const std::exception_ptr& thrown, std::string& error) {
  try {
    std::rethrow_exception(thrown);
  } catch (http::Problem& problem) {
    return problem;
  } catch (const pg::SqlError& sql) {
    error = sql.statement + ": " + sql.state + " " + sql.message;
    if (sql.is_bad_value())
      return http::Problem({.status = 400, .detail = "a value cannot be stored: it is malformed or out of range"});
    if (sql.is_temporary()) return temporarily("the database is busy: try again");
  } catch (const pg::OutcomeUnknown& unknown) {
    error = unknown.what();
    return http::Problem({.status = 504,
                          .detail =
                              "the connection to the database broke at the last moment: whether this was done is not "
                              "known. With an Idempotency-Key, send the same again"});
  } catch (const pg::Unavailable& unavailable) {
    error = unavailable.what();
    return temporarily("the database is out of reach, or has too much to do: try again");
  } catch (const http::Unreachable& unreachable) {
    error = unreachable.what();
    return temporarily("another service is out of reach: try again");
  } catch (const std::exception& other) {
    error = other.what();
  } catch (...) {
    error = "unknown";
  }
  return http::Problem(
      {.status = 500, .detail = "something went wrong on our side; the request id says where to look"});
}

}  // namespace

RequestContext RequestContext::own() {
  RequestContext scope;
  scope.request_id = model::new_uuid().text();
  return scope;
}

RouteMetrics::RouteMetrics(prometheus::Family<prometheus::Counter>& requests,
                           prometheus::Family<prometheus::Histogram>& durations, std::string method, std::string route)
    : requests_(requests),
      method_(std::move(method)),
      route_(std::move(route)),
      duration_(durations.Add({{"method", method_}, {"route", route_}}, kSeconds)) {
  // Other statuses appear when they occur; these exist from the start so that rate() sees their first increase.
  for (const unsigned status : {500U, 502U, 503U, 504U}) by_status_[status] = &counter_of(status);
}

prometheus::Counter& RouteMetrics::counter_of(unsigned status) {
  return requests_.Add({{"method", method_}, {"route", route_}, {"status", std::to_string(status)}});
}

void RouteMetrics::observe(unsigned status, double seconds) {
  auto& counter = by_status_[status];
  if (!counter) counter = &counter_of(status);
  counter->Increment();
  duration_.Observe(seconds);
}

Boundary::Boundary(Metrics& metrics, Log& log, Level access, Tracer* tracer)
    : log_(log),
      access_(access),
      tracer_(tracer),
      requests_(metrics.counters("http_requests_total", "Requests answered")),
      durations_(
          metrics.histograms("http_request_duration_seconds",
                             "From a request's head to its answer, but for waits for the client to send its body")),
      unmatched_(requests_, durations_, "other", "unmatched") {}

std::unique_ptr<RouteMetrics> Boundary::route(std::string method, std::string route) {
  return std::make_unique<RouteMetrics>(requests_, durations_, std::move(method), std::move(route));
}

awaitable<http::Response> Boundary::run(http::Request& request, const Work& work) {
  RequestContext scope;
  const auto given = request.field("X-Request-Id");
  scope.request_id = is_request_id(given) ? std::string(given) : model::new_uuid().text();
  trace(request, scope);
  if (tracer_ && tracer_->records(scope.trace)) co_await http::resume_in(scope.trace);
  auto response = co_await attempt(request, scope, work);
  finish(request, scope, response);
  co_return response;
}

// Continues the caller's trace if the caller sent a valid one, else begins a trace; always adds a span of this process.
void Boundary::trace(const http::Request& request, RequestContext& scope) const {
  std::string_view traceparent;
  bool is_sound = true;
  for (const auto& [name, value] : request.fields) {
    if (model::equals_ignoring_case(name, "traceparent")) {
      is_sound = traceparent.empty();  // a repeated traceparent is invalid
      traceparent = value;
    } else if (model::equals_ignoring_case(name, "tracestate")) {
      scope.tracestate.append(scope.tracestate.empty() ? "" : ",").append(value);
    }
  }
  const auto caller = is_sound ? model::TraceContext::parse(traceparent) : std::nullopt;
  if (!caller || !model::is_tracestate(scope.tracestate)) scope.tracestate.clear();
  if (caller) {
    scope.trace = caller->child();
    scope.caller_span = caller->span;
  } else {
    scope.trace = tracer_ ? tracer_->begin() : model::TraceContext::begin();
  }
}

awaitable<http::Response> Boundary::attempt(http::Request& request, RequestContext& scope, const Work& work) {
  std::exception_ptr thrown;
  for (int tries = 1;; ++tries) {
    bool again = false;
    try {
      co_return co_await work(request, scope);
    } catch (const pg::SqlError& error) {
      // A deadlock or a serialization failure: the transaction was rolled back and may be retried.
      again = error.is_retryable() && tries < kAttempts;
      thrown = std::current_exception();
    } catch (...) {
      thrown = std::current_exception();
    }
    if (!again) break;
    if (retries_) retries_->Increment();
  }
  auto problem = problem_of(thrown, scope.error);
  co_return http::to_response(problem, request.path, scope.request_id);
}

void Boundary::finish(const http::Request& request, RequestContext& scope, http::Response& response) {
  response.add("X-Request-Id", scope.request_id);
  const double seconds = std::chrono::duration<double>(http::Clock::now() - scope.start).count();
  // A client that takes its time to send a body does not make us slow.
  const auto waited = request.body_source ? request.body_source->waited() : std::chrono::nanoseconds{};
  RouteMetrics& metrics = scope.metrics ? *scope.metrics : unmatched_;
  metrics.observe(response.status, std::max(0.0, seconds - std::chrono::duration<double>(waited).count()));

  if (tracer_ && tracer_->records(scope.trace)) record(request, scope, response.status);

  const Level level = response.status >= 500 ? Level::error : access_;
  if (!log_.writes(level)) return;
  const auto trace = scope.trace.text();
  log_.line(level, "request")
      .with("request_id", scope.request_id)
      .with("trace_id", model::TraceContext::trace_id(trace))
      .with("span_id", model::TraceContext::span_id(trace))
      .with("method", http::name_of(request.method))
      .with("route", metrics.route())
      .with("path", path_told(request.path, scope.pattern))
      .with("status", response.status)
      .with("duration_ms", seconds * 1e3)
      .with_text("remote", request.remote_address)
      .with_text("client", scope.client_address == request.remote_address ? "" : scope.client_address)
      .with_text("org_id", scope.organization_id)
      .with_text("key_id", scope.credential_id)
      .with_text("error", scope.error);
}

// The span ends at the response's head; like the metrics, it does not include the streaming of the body.
void Boundary::record(const http::Request& request, const RequestContext& scope, unsigned status) const {
  const bool is_known = request.method != http::Method::other;
  std::string name(is_known ? http::name_of(request.method) : "HTTP");
  if (scope.metrics) name.append(" ").append(scope.metrics->route());
  auto span = tracer_->span({.kind = SpanKind::server,
                             .name = name,
                             .context = scope.trace,
                             .parent = scope.caller_span,
                             .parent_is_remote = scope.caller_span != 0,
                             .tracestate = scope.tracestate,
                             .start = scope.start});
  span.with("http.request.method", is_known ? http::name_of(request.method) : "_OTHER").with("url.scheme", "http");
  const std::string_view route = scope.metrics ? std::string_view(scope.metrics->route()) : "";
  span.with("url.path", path_told(request.path, scope.pattern));
  span.with_text("http.route", route).with_number("http.response.status_code", status);
  span.with_text("parley.organization.id", scope.organization_id);
  if (status >= 500) span.failed(std::to_string(status));
}

http::Response Boundary::unreadable(unsigned status, std::string_view reason, std::string_view remote_address) {
  const auto request_id = model::new_uuid().text();
  if (log_.writes(access_))
    log_.line(access_, "unreadable request")
        .with("request_id", request_id)
        .with("status", status)
        .with("reason", reason)
        .with("remote", remote_address);
  http::Problem problem({.status = status, .detail = "the request is not sound HTTP/1.1", .close = true});
  if (status == 408) problem.detail = "the request did not arrive in time";
  if (status == 413) problem.detail = "the body is larger than this server takes";
  if (status == 414) problem.detail = "the target is longer than 8192 octets";
  if (status == 417) problem.detail = "the only expectation that can be met is 100-continue";
  if (status == 431) problem.detail = "the head is larger than 16384 octets or has more than 64 fields";
  if (status == 500) problem.detail = "something went wrong on our side; the request id says where to look";
  if (status == 501) problem.detail = "the only transfer coding known is chunked";
  if (status == 503) {
    problem.detail = "too many requests arrive at once: try again";
    problem.head = "Retry-After: 1\r\n";
  }
  unmatched_.observe(status, 0);
  auto response = http::to_response(problem, "", request_id);
  response.add("X-Request-Id", request_id);
  return response;
}

}  // namespace parley::chassis
