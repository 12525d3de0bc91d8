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
  std::string url;      // where spans go, by OTLP over HTTP, with its path; "": nowhere, and none are made
  double sample = 1;    // of the traces that begin here, how many are recorded: 0 to 1
  std::string headers;  // of the exporter's requests, each "Name: value\r\n"

  // PARLEY_TRACES_URL, _SAMPLE, _HEADERS
  static TracingSettings read(Environment& environment);
};

// As OTLP numbers them.
enum class SpanKind : unsigned char { internal = 1, server = 2, client = 3 };

// What a span is made of beside its attributes.
struct SpanHead {
  SpanKind kind = SpanKind::internal;
  std::string_view name{};        // of few values: no ids
  model::TraceContext context{};  // its own
  std::uint64_t parent = 0;       // 0: it is the first
  bool parent_is_remote = false;  // in another process
  std::string_view tracestate{};
  http::Clock::time_point start{}, end = http::Clock::now();
};

// One span in the making: an object of OTLP's JSON, written when this goes. Keys are ours and need no escaping. Never
// in it: what the log may not have either.
class SpanText {
 public:
  SpanText(std::string* out, const SpanHead& head, std::int64_t clock_offset);
  ~SpanText();
  SpanText(const SpanText&) = delete;
  SpanText& operator=(const SpanText&) = delete;

  SpanText& with(std::string_view key, std::string_view value);
  SpanText& with_number(std::string_view key, std::int64_t value);
  // Passed over when empty.
  SpanText& with_text(std::string_view key, std::string_view value) { return value.empty() ? *this : with(key, value); }
  // It failed, for this reason, one of few.
  SpanText& failed(std::string_view type);

 private:
  void add_key(std::string_view key);
  std::string* out_;  // nullptr: dropped
  bool first_ = true, failed_ = false;
};

// The spans of a process, off unless there is somewhere to send them to. One whose context is sampled is recorded when
// it ends; the others cost nothing more than the ids that travel.
class Tracer {
 public:
  // `service` is what the spans' resource is called, `version` the program's.
  Tracer(boost::asio::io_context& context, http::DeadlineSweeper& wheel, const TracingSettings& settings,
         std::string_view service, std::string_view version, Metrics& metrics, Log& log);
  ~Tracer();

  bool on() const { return exporter_ != nullptr; }
  bool records(const model::TraceContext& context) const { return on() && context.sampled(); }
  // The first span of a trace that begins here.
  model::TraceContext begin() const;
  // A span that is over, of a context that is recorded.
  SpanText span(const SpanHead& head);
  // A batch of statements, of the trace that it was sent in.
  void batch(const pg::BatchReport& report);
  // A request that is about to be sent by `upstream`: `context` becomes its span, which ends with its answer.
  void follow(http::ClientRequest& request, const http::Upstream& upstream, const model::TraceContext& context,
              std::uint64_t parent);
  // One to somebody whom traces are nothing to. Its span belongs to the work that is being done, or begins a trace.
  void follow(http::ClientRequest& request, const http::Upstream& upstream);
  // The same of one that is over. `target` is all of what was asked for: its query is not told.
  struct Call {
    http::Method method;
    std::string_view target, route;
    const http::Upstream& upstream;
    model::TraceContext context;
    std::uint64_t parent;
    http::Clock::time_point start;
  };
  void called(const Call& call, const http::ClientOutcome& outcome);

  // Sends what gathers, until stop(), which sends the rest if that can be done in 3 s.
  awaitable<void> run();
  awaitable<void> stop();

 private:
  std::unique_ptr<TraceExporter> exporter_;
  std::uint64_t most_;  // the last 56 bits of a sampled trace's id are below it
};

// "traceparent: ..\r\n", and tracestate if there is one. Without a context it is one that nobody records.
void append_trace(std::string& head, const model::TraceContext& context, std::string_view tracestate);
// What spans and the log tell of a target: its path without the query, or the route alone where a path says more than
// ids do: a link's code stands for whom it was sent to.
std::string_view path_told(std::string_view target, std::string_view route);
// A target without its query and ids, which are what has a digit in it: "/internal/lists/{id}/contacts".
std::string route_of(std::string_view target);
}  // namespace parley::chassis
