#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "common/http/client.hpp"
#include "common/http/deadline.hpp"
#include "common/model/trace.hpp"

namespace parley::pg {
struct BatchReport;
}

namespace parley::chassis {

using boost::asio::awaitable;

class Environment;
class Log;
class Metrics;
class TraceExporter;

struct TracingSettings {
  std::string url;      // OTLP over HTTP endpoint, with its path; "": tracing is off
  double sample = 1;    // share of the traces begun here that are recorded: 0 to 1
  std::string headers;  // for the exporter's requests, each "Name: value\r\n"

  // PARLEY_TRACES_URL, _SAMPLE, _HEADERS
  static TracingSettings read(Environment& environment);
};

// Numbered as in OTLP.
enum class SpanKind : unsigned char { internal = 1, server = 2, client = 3 };

// The data of a span beside its attributes.
struct SpanHead {
  SpanKind kind = SpanKind::internal;
  std::string_view name{};        // low cardinality: no ids
  model::TraceContext context{};  // its own
  std::uint64_t parent = 0;       // 0: the root span
  bool parent_is_remote = false;  // in another process
  std::string_view tracestate{};
  http::Clock::time_point start{}, end = http::Clock::now();
};

// One span, an OTLP JSON object that the destructor completes. Keys are constants and need no escaping. Must not
// contain what the log must not contain.
class SpanText {
 public:
  SpanText(std::string* out, const SpanHead& head, std::int64_t clock_offset);
  ~SpanText();
  SpanText(const SpanText&) = delete;
  SpanText& operator=(const SpanText&) = delete;

  SpanText& with(std::string_view key, std::string_view value);
  SpanText& with_number(std::string_view key, std::int64_t value);
  // Omits the attribute if `value` is empty.
  SpanText& with_text(std::string_view key, std::string_view value) { return value.empty() ? *this : with(key, value); }
  // Marks the span as failed; `type` has few distinct values.
  SpanText& failed(std::string_view type);

 private:
  void add_key(std::string_view key);
  std::string* out_;  // nullptr: dropped
  bool first_ = true, failed_ = false;
};

// The spans of a process; off unless an endpoint is configured. A span is recorded when it ends, if its context is
// sampled; otherwise only its ids are propagated.
class Tracer {
 public:
  // `service` is what the spans' resource is called, `version` the program's.
  Tracer(boost::asio::io_context& context, http::DeadlineSweeper& wheel, const TracingSettings& settings,
         std::string_view service, std::string_view version, Metrics& metrics, Log& log);
  ~Tracer();

  bool on() const { return exporter_ != nullptr; }
  bool records(const model::TraceContext& context) const { return on() && context.sampled(); }
  // The root context of a trace that begins here.
  model::TraceContext begin() const;
  // A finished span of a recorded context.
  SpanText span(const SpanHead& head);
  // Records a batch of statements in the trace that it was sent in.
  void batch(const pg::BatchReport& report);
  // Traces a request about to be sent by `upstream`: `context` becomes the request's span, which ends with the
  // response.
  void follow(http::ClientRequest& request, const http::Upstream& upstream, const model::TraceContext& context,
              std::uint64_t parent);
  // Traces a request to a peer outside our traces. The span belongs to the current work, or begins a trace.
  void follow(http::ClientRequest& request, const http::Upstream& upstream);
  // Records a finished request. `target` is the complete target; its query is not recorded.
  struct Call {
    http::Method method;
    std::string_view target, route;
    const http::Upstream& upstream;
    model::TraceContext context;
    std::uint64_t parent;
    http::Clock::time_point start;
  };
  void called(const Call& call, const http::ClientOutcome& outcome);

  // Sends spans until stop(), which sends the rest within 3 s if possible.
  awaitable<void> run();
  awaitable<void> stop();

 private:
  std::unique_ptr<TraceExporter> exporter_;
  std::uint64_t most_;  // exclusive bound for the low 56 bits of a sampled trace's id
};

// Appends "traceparent: ..\r\n", and tracestate if there is one. An empty context gives a trace that is not recorded.
void append_trace(std::string& head, const model::TraceContext& context, std::string_view tracestate);
// The part of a target that spans and the log may show: the path without the query, or only the route where the path
// says more than ids, as a link's code identifies its recipient.
std::string_view path_told(std::string_view target, std::string_view route);
// A target without its query, and with {id} for each segment that contains a digit: "/internal/lists/{id}/contacts".
std::string route_of(std::string_view target);
}  // namespace parley::chassis
