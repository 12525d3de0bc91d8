#include "common/chassis/tracing.hpp"

#include <algorithm>
#include <boost/url/pct_string_view.hpp>
#include <charconv>

#include "common/chassis/environment.hpp"
#include "common/chassis/trace_exporter.hpp"
#include "common/model/json.hpp"
#include "common/pg/pool.hpp"

namespace parley::chassis {

namespace {

constexpr std::uint64_t kIds = std::uint64_t{1} << 56;  // the number of values of the random part of a trace id
constexpr std::string_view kPath = "/v1/traces";

double read_share(Environment& environment, std::string_view name) {
  const auto text = environment.text(name, "1");
  double share = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), share);
  if (error == std::errc{} && end == text.data() + text.size() && share >= 0 && share <= 1) return share;
  environment.fault(name, "must be a number from 0 to 1");
  return 0;
}

// Text with an invalid %XX is returned unchanged.
std::string percent_decoded(std::string_view text) {
  const auto coded = boost::urls::make_pct_string_view({text.data(), text.size()});
  return coded ? coded->decode() : std::string(text);
}

bool is_field_name(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == text.npos;
}

bool is_field_value(std::string_view text) {
  for (const char c : text)
    if (c < 0x20 || c > 0x7E) return false;
  return !text.empty();
}

// Parses name=value,name2=value2, as in OTEL_EXPORTER_OTLP_HEADERS.
std::string read_fields(Environment& environment, std::string_view name) {
  const auto text = environment.text(name, "");
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto comma = std::min(text.find(',', at), text.size());
    const auto entry = std::string_view(text).substr(at, comma - at);
    at = comma + 1;
    const auto equals = entry.find('=');
    const auto value = equals == entry.npos ? "" : percent_decoded(entry.substr(equals + 1));
    if (!is_field_name(entry.substr(0, equals)) || !is_field_value(value))
      environment.fault(name, "must be NAME=VALUE, with commas between several");
    else
      out.append(entry.substr(0, equals)).append(": ").append(value).append("\r\n");
  }
  return out;
}

std::string_view reason_of(http::Unreachable::Why why) {
  switch (why) {
    case http::Unreachable::Why::refused:
      return "refused";
    case http::Unreachable::Why::timeout:
      return "timeout";
    case http::Unreachable::Why::reset:
      return "reset";
    case http::Unreachable::Why::overloaded:
      return "overloaded";
    case http::Unreachable::Why::bad_answer:
      return "bad_answer";
  }
  return "_OTHER";
}

std::int64_t nanoseconds(http::Clock::time_point moment) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(moment.time_since_epoch()).count();
}

void append_number(std::string& out, std::int64_t number) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

}  // namespace

TracingSettings TracingSettings::read(Environment& environment) {
  TracingSettings out;
  out.url = environment.text("PARLEY_TRACES_URL", "");
  out.sample = read_share(environment, "PARLEY_TRACES_SAMPLE");
  out.headers = read_fields(environment, "PARLEY_TRACES_HEADERS");
  if (out.url.empty()) return out;
  if (out.url.find(',') != out.url.npos || !http::is_upstream_url(out.url))
    environment.fault("PARLEY_TRACES_URL", "must be an http or https URL");
  while (out.url.ends_with('/')) out.url.pop_back();
  if (!out.url.ends_with(kPath)) out.url += kPath;
  return out;
}

// OTLP's JSON encoding: ids are hexadecimal digits, 64-bit integers are strings, enumerations are numbers.
SpanText::SpanText(std::string* out, const SpanHead& head, std::int64_t clock_offset) : out_(out) {
  if (!out_) return;
  constexpr unsigned kKnowsParent = 0x100, kParentIsRemote = 0x200;  // of Span.flags
  out_->append(R"({"traceId":")");
  model::append_hex(*out_, head.context.trace_high);
  model::append_hex(*out_, head.context.trace_low);
  out_->append(R"(","spanId":")");
  model::append_hex(*out_, head.context.span);
  if (head.parent != 0) {
    out_->append(R"(","parentSpanId":")");
    model::append_hex(*out_, head.parent);
  }
  out_->append(R"(","flags":)");
  append_number(*out_, head.context.flags | kKnowsParent | (head.parent_is_remote ? kParentIsRemote : 0));
  if (!head.tracestate.empty()) {
    out_->append(R"(,"traceState":)");
    model::write(*out_, head.tracestate);
  }
  out_->append(R"(,"name":)");
  model::write(*out_, head.name);
  out_->append(R"(,"kind":)");
  append_number(*out_, static_cast<int>(head.kind));
  out_->append(R"(,"startTimeUnixNano":")");
  append_number(*out_, nanoseconds(head.start) + clock_offset);
  out_->append(R"(","endTimeUnixNano":")");
  append_number(*out_, nanoseconds(head.end) + clock_offset);
  out_->append(R"(","attributes":[)");
}

SpanText::~SpanText() {
  if (out_) out_->append(failed_ ? R"(],"status":{"code":2}})" : "]}");
}

void SpanText::add_key(std::string_view key) {
  out_->append(first_ ? R"({"key":")" : R"(,{"key":")").append(key).append(R"(","value":{")");
  first_ = false;
}

SpanText& SpanText::with(std::string_view key, std::string_view value) {
  if (!out_) return *this;
  add_key(key);
  out_->append(R"(stringValue":)");
  model::write(*out_, value);
  out_->append("}}");
  return *this;
}

SpanText& SpanText::with_number(std::string_view key, std::int64_t value) {
  if (!out_) return *this;
  add_key(key);
  out_->append(R"(intValue":")");
  append_number(*out_, value);
  out_->append("\"}}");
  return *this;
}

SpanText& SpanText::failed(std::string_view type) {
  failed_ = true;
  return with("error.type", type);
}

Tracer::Tracer(boost::asio::io_context& context, http::DeadlineSweeper& wheel, const TracingSettings& settings,
               std::string_view service, std::string_view version, Metrics& metrics, Log& log)
    : most_(static_cast<std::uint64_t>(settings.sample * static_cast<double>(kIds))) {
  if (!settings.url.empty())
    exporter_ = std::make_unique<TraceExporter>(context, wheel, settings, service, version, metrics, log);
}

Tracer::~Tracer() = default;

awaitable<void> Tracer::run() { return exporter_->run(); }
awaitable<void> Tracer::stop() { return exporter_->stop(); }

model::TraceContext Tracer::begin() const {
  auto context = model::TraceContext::begin();
  if (on() && context.trace_low % kIds < most_) context.flags |= model::TraceContext::kSampled;
  return context;
}

SpanText Tracer::span(const SpanHead& head) { return SpanText(exporter_->room(), head, exporter_->clock_offset()); }

void Tracer::batch(const pg::BatchReport& report) {
  if (!on() || !report.trace) return;
  std::string_view first = report.first ? std::string_view(report.first->name) : "commit";
  first = first.substr(0, first.find('+'));  // without the optional parts
  const auto time = std::chrono::duration_cast<http::Clock::duration>(std::chrono::duration<double>(report.seconds));
  auto made = span({.kind = SpanKind::client,
                    .name = first,
                    .context = report.trace.child(),
                    .parent = report.trace.span,
                    .start = report.sent,
                    .end = report.sent + time});
  made.with("db.system.name", "postgresql").with("db.query.summary", first);
  made.with("db.client.connection.pool.name", pg::name_of(report.lane));
  if (report.statements > 1) made.with_number("db.operation.batch.size", static_cast<std::int64_t>(report.statements));
  if (!report.state.empty()) made.with("db.response.status_code", report.state).failed(report.state);
}

void Tracer::follow(http::ClientRequest& request, const http::Upstream& upstream, const model::TraceContext& context,
                    std::uint64_t parent) {
  request.done = [this, &upstream, context, parent, method = request.method,
                  path = request.target.substr(0, request.target.find('?')),
                  start = http::Clock::now()](const http::ClientOutcome& outcome) {
    called({method, path, route_of(path), upstream, context, parent, start}, outcome);
  };
}

void Tracer::follow(http::ClientRequest& request, const http::Upstream& upstream) {
  if (!on()) return;
  const auto& parent = model::current_trace;
  const auto context = parent ? parent.child() : begin();
  if (records(context)) follow(request, upstream, context, parent.span);
}

void Tracer::called(const Call& call, const http::ClientOutcome& outcome) {
  std::string name(http::name_of(call.method));
  name.append(" ").append(call.route);
  auto made = span({.kind = SpanKind::client,
                    .name = name,
                    .context = call.context,
                    .parent = call.parent,
                    .start = call.start,
                    .end = http::Clock::now()});
  const std::string_view scheme = call.upstream.is_tls() ? "https" : "http";
  const std::string_view host = call.upstream.host();
  const auto colon = host.ends_with(']') ? host.npos : host.rfind(':');
  int port = call.upstream.is_tls() ? 443 : 80;
  if (colon != host.npos) std::from_chars(host.data() + colon + 1, host.data() + host.size(), port);
  std::string url(scheme);
  url.append("://").append(host).append(call.upstream.base_path()).append(path_told(call.target, call.route));
  made.with("http.request.method", http::name_of(call.method)).with("url.full", url).with("url.template", call.route);
  made.with("server.address", host.substr(0, colon)).with_number("server.port", port);
  if (outcome.failure) made.failed(reason_of(*outcome.failure));
  if (outcome.status > 0) made.with_number("http.response.status_code", outcome.status);
  if (outcome.status >= 400) made.failed(std::to_string(outcome.status));
}

void append_trace(std::string& head, const model::TraceContext& context, std::string_view tracestate) {
  const auto text = (context ? context : model::TraceContext::begin()).text();
  head.append("traceparent: ").append(text.data(), text.size()).append("\r\n");
  if (!tracestate.empty()) head.append("tracestate: ").append(tracestate).append("\r\n");
}

std::string_view path_told(std::string_view target, std::string_view route) {
  return route.ends_with("{code}") ? route : target.substr(0, target.find('?'));
}

std::string route_of(std::string_view target) {
  std::string out;
  std::string_view rest = target.substr(0, target.find('?'));
  while (!rest.empty()) {
    const auto slash = std::min(rest.find('/', 1), rest.size());
    const auto part = rest.substr(0, slash);
    out += part.find_first_of("0123456789") == part.npos ? part : "/{id}";
    rest = rest.substr(slash);
  }
  return out;
}

}  // namespace parley::chassis
