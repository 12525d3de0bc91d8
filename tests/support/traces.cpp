#include "tests/support/traces.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>

#include "common/model/json.hpp"

namespace parley::support {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kKeptOctets = 64 << 20;

bool is_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == text.npos &&
         text.find_first_not_of('0') != text.npos;
}

bool is_number(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }

std::string text_in(const boost::json::object& object, std::string_view key) {
  const auto* const value = object.if_contains(key);
  return value && value->is_string() ? std::string(value->get_string()) : "";
}

std::int64_t number_in(const boost::json::object& object, std::string_view key) {
  const auto* const value = object.if_contains(key);
  return value && value->is_int64() ? value->get_int64() : 0;
}

std::map<std::string, std::string> attributes_in(const boost::json::object& object) {
  std::map<std::string, std::string> out;
  for (const auto& each : object.at("attributes").as_array()) {
    const auto& value = each.at("value").as_object();
    out[text_in(each.as_object(), "key")] = text_in(value, value.contains("intValue") ? "intValue" : "stringValue");
  }
  return out;
}

}  // namespace

TraceReceiver::TraceReceiver() {
  std::signal(SIGPIPE, SIG_IGN);
  http::ServerHandler handler{[this](http::Request& request) { return serve(request); },
                              [](unsigned status, std::string_view, std::string_view) {
                                http::Response response;
                                response.status = status;
                                return response;
                              }};
  server_ = std::make_unique<http::Server>(loop_, wheel_, asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), 0),
                                           http::ServerLimits{.body = 32 << 20}, std::move(handler));
  port_ = server_->endpoint().port();
  server_->start();
  thread_ = std::thread([this] { loop_.run(); });
}

TraceReceiver::~TraceReceiver() {
  loop_.stop();
  thread_.join();
  loop_.end();
}

void TraceReceiver::answer_with(unsigned status, std::string head, std::string body) {
  const std::lock_guard lock(mutex_);
  status_ = status;
  head_ = std::move(head);
  body_ = std::move(body);
}

http::awaitable<http::Response> TraceReceiver::serve(http::Request& request) {
  const std::string body(co_await request.body());
  http::Response response;
  {
    const std::lock_guard lock(mutex_);
    ++requests_;
    most_ = std::max(most_, ++serving_);
    fields_.clear();
    for (const auto& [name, value] : request.fields) fields_.append(name).append(": ").append(value).append("\n");
    require(request.method == http::Method::post && request.path == "/v1/traces" && request.query.empty(), "target");
    require(request.field("Content-Type") == "application/json", "content type");
    if (bodies_.size() < kKeptOctets) bodies_ += body;
    response.status = status_;
    response.head = head_;
    response.body = body_;
    if (status_ == 200) {
      model::Fault fault;
      const auto json = model::parse(body, fault);
      require(json.has_value(), "no JSON");
      try {
        if (json) take(*json);
      } catch (const std::exception& error) {
        require(false, error.what());
      }
    }
  }
  if (response.status == 0) {  // until the client gives up
    asio::steady_timer timer(loop_);
    timer.expires_after(60s);
    co_await timer.async_wait(asio::as_tuple(asio::deferred));
  }
  const std::lock_guard lock(mutex_);
  --serving_;
  co_return response;
}

void TraceReceiver::require(bool condition, const std::string& what) {
  if (!condition) faults_.push_back(what);
}

void TraceReceiver::take(const boost::json::value& body) {
  for (const auto& resource : body.at("resourceSpans").as_array()) {
    const auto about = attributes_in(resource.at("resource").as_object());
    for (const char* name : {"service.name", "service.version", "service.instance.id"})
      require(about.contains(name) && !about.at(name).empty(), name);
    for (const auto& scope : resource.at("scopeSpans").as_array())
      for (const auto& span : scope.at("spans").as_array())
        take_span(span, about.at("service.name"), about.at("service.instance.id"));
  }
}

// OTLP's JSON has ids as hexadecimal digits, enumerations as numbers, 64-bit integers as strings.
void TraceReceiver::take_span(const boost::json::value& span, const std::string& service, const std::string& instance) {
  const auto& object = span.as_object();
  ReceivedSpan out;
  out.service = service;
  out.instance = instance;
  out.trace = text_in(object, "traceId");
  out.id = text_in(object, "spanId");
  out.parent = text_in(object, "parentSpanId");
  out.name = text_in(object, "name");
  out.state = text_in(object, "traceState");
  out.kind = number_in(object, "kind");
  out.flags = number_in(object, "flags");
  const auto start = text_in(object, "startTimeUnixNano"), end = text_in(object, "endTimeUnixNano");
  require(is_hex(out.trace, 32) && is_hex(out.id, 16), "ids");
  require(!object.contains("parentSpanId") || is_hex(out.parent, 16), "parent");
  require(!out.name.empty() && out.kind >= 1 && out.kind <= 5, "name and kind");
  require(is_number(start) && is_number(end), "times");
  out.start = std::stoull(start);
  out.end = std::stoull(end);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto distance = std::int64_t(out.end) - std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  require(out.start <= out.end && std::abs(distance) < 600'000'000'000, "the order of times");
  out.attributes = attributes_in(object);
  if (const auto* const status = object.if_contains("status")) out.status = number_in(status->as_object(), "code");
  require((out.status == 2) == out.attributes.contains("error.type"), "what failed says why");
  spans_.push_back(std::move(out));
}

std::vector<ReceivedSpan> TraceReceiver::spans() const {
  const std::lock_guard lock(mutex_);
  return spans_;
}

std::vector<ReceivedSpan> TraceReceiver::of_trace(std::string_view trace) const {
  const std::lock_guard lock(mutex_);
  std::vector<ReceivedSpan> out;
  for (const auto& span : spans_)
    if (span.trace == trace) out.push_back(span);
  return out;
}

std::vector<ReceivedSpan> TraceReceiver::wait_for(
    std::string_view trace, const std::function<bool(const std::vector<ReceivedSpan>&)>& wanted) const {
  const auto limit = std::chrono::steady_clock::now() + 30s;
  for (;;) {
    auto found = of_trace(trace);
    if (wanted(found) || std::chrono::steady_clock::now() > limit) return found;
    std::this_thread::sleep_for(20ms);
  }
}

std::size_t TraceReceiver::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::size_t TraceReceiver::max_at_once() const {
  const std::lock_guard lock(mutex_);
  return most_;
}

std::string TraceReceiver::bodies() const {
  const std::lock_guard lock(mutex_);
  return bodies_;
}

std::string TraceReceiver::fields() const {
  const std::lock_guard lock(mutex_);
  return fields_;
}

std::vector<std::string> TraceReceiver::faults() const {
  const std::lock_guard lock(mutex_);
  return faults_;
}

}  // namespace parley::support
