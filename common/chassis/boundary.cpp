#include "common/chassis/boundary.hpp"

#include <algorithm>
#include <exception>
#include <optional>

#include "common/http/problem.hpp"
#include "common/http/upstream.hpp"
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

// W3C Trace Context, version 00: the trace of the caller if it sent a sound one, else a new one; always a span of ours.
std::string traceparent_from(std::string_view received) {
  static constexpr std::string_view hex = "0123456789abcdef";
  const bool sound = received.size() == 55 && received.starts_with("00-") && received[35] == '-' &&
                     received[52] == '-' && received.substr(3, 32).find_first_not_of(hex) == received.npos &&
                     received.substr(36, 16).find_first_not_of(hex) == received.npos &&
                     received.substr(53).find_first_not_of(hex) == received.npos &&
                     received.substr(3, 32).find_first_not_of('0') != received.npos &&
                     received.substr(36, 16).find_first_not_of('0') != received.npos;
  std::string random = model::new_uuid().text();
  std::erase(random, '-');
  std::string out = "00-";
  out += sound ? received.substr(3, 32) : std::string_view(random);
  out += '-';
  std::reverse(random.begin(), random.end());  // its random end comes first
  out.append(random, 0, 16);
  out += sound ? received.substr(52) : std::string_view("-01");
  return out;
}

http::Problem temporarily(std::string detail) {
  return http::Problem{.status = 503, .detail = std::move(detail), .head = "Retry-After: 1\r\n"};
}

// Maps whatever was thrown. What is told of our own faults is that there was one.
http::Problem problem_of(const std::exception_ptr& thrown, std::string& error) {
  try {
    std::rethrow_exception(thrown);
  } catch (http::Problem& problem) {
    return problem;
  } catch (const pg::SqlError& sql) {
    error = sql.statement + ": " + sql.state + " " + sql.message;
    if (sql.is_bad_value())
      return http::Problem{.status = 400, .detail = "a value cannot be stored: it is malformed or out of range"};
    if (sql.is_temporary()) return temporarily("the database is busy: try again");
  } catch (const pg::OutcomeUnknown& unknown) {
    error = unknown.what();
    return temporarily(
        "the connection to the database broke at the last moment: whether this was done is not known. With an "
        "Idempotency-Key, send the same again");
  } catch (const pg::Unavailable& unavailable) {
    error = unavailable.what();
    return temporarily("the database is out of reach: try again");
  } catch (const http::Unreachable& unreachable) {
    error = unreachable.what();
    return temporarily("another service is out of reach: try again");
  } catch (const std::exception& other) {
    error = other.what();
  } catch (...) {
    error = "unknown";
  }
  return http::Problem{.status = 500, .detail = "something went wrong on our side; the request id says where to look"};
}

}  // namespace

RouteMetrics::RouteMetrics(prometheus::Family<prometheus::Counter>& requests,
                           prometheus::Family<prometheus::Histogram>& durations, std::string method, std::string route)
    : requests_(requests),
      method_(std::move(method)),
      route_(std::move(route)),
      duration_(durations.Add({{"method", method_}, {"route", route_}}, kSeconds)) {}

void RouteMetrics::observe(unsigned status, double seconds) {
  auto& counter = by_status_[status];
  if (!counter) counter = &requests_.Add({{"method", method_}, {"route", route_}, {"status", std::to_string(status)}});
  counter->Increment();
  duration_.Observe(seconds);
}

Boundary::Boundary(Metrics& metrics, Log& log, Level access)
    : log_(log),
      access_(access),
      requests_(metrics.counters("http_requests_total", "Requests answered")),
      durations_(metrics.histograms("http_request_duration_seconds", "From a request's head to its answer")),
      unmatched_(requests_, durations_, "other", "unmatched") {}

std::unique_ptr<RouteMetrics> Boundary::route(std::string method, std::string route) {
  return std::make_unique<RouteMetrics>(requests_, durations_, std::move(method), std::move(route));
}

awaitable<http::Response> Boundary::run(http::Request& request, const Work& work) {
  Scope scope;
  const auto given = request.field("X-Request-Id");
  scope.request_id = is_request_id(given) ? std::string(given) : model::new_uuid().text();
  scope.traceparent = traceparent_from(request.field("traceparent"));
  auto response = co_await attempt(request, scope, work);
  finish(request, scope, response);
  co_return response;
}

awaitable<http::Response> Boundary::attempt(http::Request& request, Scope& scope, const Work& work) {
  std::exception_ptr thrown;
  for (int tries = 1;; ++tries) {
    bool again = false;
    try {
      co_return co_await work(request, scope);
    } catch (const pg::SqlError& error) {
      // A deadlock or a serialization failure: the transaction is gone without a trace and may be tried anew.
      again = error.is_retryable() && tries < kAttempts;
      thrown = std::current_exception();
    } catch (...) {
      thrown = std::current_exception();
    }
    if (!again) break;
  }
  auto problem = problem_of(thrown, scope.error);
  co_return http::to_response(problem, request.path, scope.request_id);
}

void Boundary::finish(const http::Request& request, Scope& scope, http::Response& response) {
  response.add("X-Request-Id", scope.request_id);
  const double seconds = std::chrono::duration<double>(http::Clock::now() - scope.start).count();
  RouteMetrics& metrics = scope.metrics ? *scope.metrics : unmatched_;
  metrics.observe(response.status, seconds);

  const Level level = response.status >= 500 ? Level::error : access_;
  if (!log_.writes(level)) return;
  log_.line(level, "request")
      .with("request_id", scope.request_id)
      .with("trace_id", std::string_view(scope.traceparent).substr(3, 32))
      .with("span_id", std::string_view(scope.traceparent).substr(36, 16))
      .with("method", http::name_of(request.method))
      .with("route", metrics.route())
      .with("path", request.path)
      .with("status", response.status)
      .with("duration_ms", seconds * 1e3)
      .with_text("remote", request.remote_address)
      .with_text("client", scope.client_address == request.remote_address ? "" : scope.client_address)
      .with_text("org_id", scope.organization_id)
      .with_text("key_id", scope.credential_id)
      .with_text("error", scope.error);
}

http::Response Boundary::unreadable(unsigned status, std::string_view reason, std::string_view remote_address) {
  const auto request_id = model::new_uuid().text();
  if (log_.writes(access_))
    log_.line(access_, "unreadable request")
        .with("request_id", request_id)
        .with("status", status)
        .with("reason", reason)
        .with("remote", remote_address);
  http::Problem problem{.status = status, .detail = "the request is not sound HTTP/1.1", .close = true};
  if (status == 408) problem.detail = "the request did not arrive in time";
  if (status == 413) problem.detail = "the body is larger than this server takes";
  if (status == 414) problem.detail = "the target is longer than 8192 octets";
  if (status == 417) problem.detail = "the only expectation that can be met is 100-continue";
  if (status == 431) problem.detail = "the head is larger than 16384 octets or has more than 64 fields";
  if (status == 500) problem.detail = "something went wrong on our side; the request id says where to look";
  if (status == 501) problem.detail = "the only transfer coding known is chunked";
  unmatched_.observe(status, 0);
  auto response = http::to_response(problem, "", request_id);
  response.add("X-Request-Id", request_id);
  return response;
}

}  // namespace parley::chassis
