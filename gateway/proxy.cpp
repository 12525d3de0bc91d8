#include "gateway/proxy.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "common/chassis/tracing.hpp"
#include "common/contracts/organizations.hpp"
#include "common/http/address.hpp"
#include "common/http/etag.hpp"
#include "common/http/problem.hpp"
#include "common/model/text.hpp"
#include "gateway/compression.hpp"

namespace parley::gateway {

namespace {

// The request fields that services read. All others are dropped: credentials, forged identities or addresses,
// hop-by-hop fields, and any field that could have a meaning inside.
constexpr std::array<std::string_view, 12> kInward{
    "Accept",     "Accept-Language", "Content-Type",        "Content-Encoding",
    "If-Match",   "If-None-Match",   "Idempotency-Key",     "Last-Event-ID",
    "User-Agent", "Range",           "X-Hub-Signature-256", "If-Range"};

// The response fields that are dropped: hop-by-hop (RFC 9110 7.6.1), and fields that the gateway writes itself.
constexpr std::array<std::string_view, 10> kNotOutward{
    "Connection", "Keep-Alive", "Transfer-Encoding", "Upgrade",      "TE",
    "Trailer",    "Server",     "Content-Length",    "X-Request-Id", "X-Content-Type-Options"};

// Exports and files are streamed; the service bounds their length.
constexpr auto kAnyLength = std::numeric_limits<std::uint64_t>::max();

// Octets of a body that is compressed. A shorter one fits into a packet, and a longer one would be held whole.
constexpr std::uint64_t kLeastCompressed = 1 << 10, kMostCompressed = 8 << 20;

// For streams: a timeout longer than the service's heartbeat interval, and the maximum number of streams.
constexpr std::chrono::milliseconds kStreamTime{45'000};
constexpr std::size_t kMaxStreams = 4'096;

// Pieces of streams to members are seldom longer.
constexpr std::size_t kStreamBuffer = 4 << 10;

// Bodies without a length limit are read whole up to this length: one on every connection that an address may open
// does not fill the room for streamed bodies.
constexpr std::uint64_t kShort = 8 << 10;

// Concurrent requests of routes without credentials, which are short.
constexpr std::size_t kMaxPublic = 128;
// Concurrent long webhooks of one network (http::site_of), out of UpstreamSettings::in_flight in total. The channel
// sends each within moments.
constexpr std::size_t kMaxWebhookUploads = 32;

// Counts an upload of a network during its lifetime.
class Upload {
 public:
  using Counts = std::unordered_map<std::string, std::size_t>;
  // Throws a Problem 429 if the network has `most` uploads already.
  Upload(Counts& counts, std::string network, std::size_t most)
      : counts_(counts), count_(*counts.try_emplace(std::move(network)).first) {
    if (count_.second >= most)
      throw http::Problem({.status = 429,
                           .detail = "too many long webhooks are on their way from this address: send it again",
                           .head = "Retry-After: 1\r\n",
                           .close = true});
    ++count_.second;
  }
  ~Upload() {
    if (--count_.second == 0) counts_.erase(counts_.find(count_.first));
  }
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;

 private:
  Counts& counts_;
  Counts::value_type& count_;  // element addresses are stable in the map
};

template <std::size_t count>
bool is_in(const std::array<std::string_view, count>& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view other) { return model::equals_ignoring_case(name, other); });
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

bool is_short(const http::Request& request) {
  return !request.streamed || request.content_length.value_or(kAnyLength) <= kShort;
}

// 503 means that the request may be repeated: nothing was done, or repetition is harmless. A request that failed after
// some of it was sent may have taken effect. Requests without a credential that crowd each other out are not our
// failure: 429.
http::Problem problem_of(const http::Unreachable& error, const http::Request& request, const Route& route) {
  using Why = http::Unreachable::Why;
  if (error.why == Why::overloaded && request.owner.is_stranger)
    return http::Problem({.status = 429,
                          .detail = "more requests without a credential are under way than there is room for",
                          .head = "Retry-After: 1\r\n"});
  const bool may_be_done = !error.sent_nothing && !route.replayable;
  http::ProblemDetails problem{.status = 504, .detail = "the service broke off before it answered"};
  if (error.why == Why::bad_answer)
    problem = {.status = 502, .detail = "the service's answer was not understood"};
  else if (error.why == Why::timeout && !error.sent_nothing)
    problem.detail = "the service did not answer in time";
  else if (!may_be_done)
    problem = {.status = 503, .detail = "the service is out of reach: try again", .head = "Retry-After: 1\r\n"};
  if (may_be_done) problem.detail += ": whether this was done is not known";
  if (may_be_done && request.has("Idempotency-Key")) problem.detail += ". Send the same again with its Idempotency-Key";
  return http::Problem(std::move(problem));
}

std::string head_of(const http::Request& request, const http::Outgoing& outgoing, const http::Upstream& upstream,
                    std::string_view token, const chassis::RequestContext& scope, const model::TraceContext& trace) {
  std::string head;
  head.reserve(1024);
  head.append(http::name_of(request.method)).append(" ").append(request.target).append(" HTTP/1.1\r\n");
  append_field(head, "Host", upstream.host());
  append_field(head, identity::kField, token);
  append_field(head, "X-Request-Id", scope.request_id);
  chassis::append_trace(head, trace, scope.tracestate);
  append_field(head, "Parley-Client-Address", scope.client_address);
  for (const auto& [name, value] : request.fields) {
    if (!is_in(kInward, name)) continue;
    const bool is_list_of_tags =
        model::equals_ignoring_case(name, "If-Match") || model::equals_ignoring_case(name, "If-None-Match");
    append_field(head, name, is_list_of_tags ? plain_tags(value) : value);
  }
  if (outgoing.source && !request.content_length)
    head += "Transfer-Encoding: chunked\r\n";
  else if (request.has_body || request.content_length)
    append_field(head, "Content-Length",
                 std::to_string(outgoing.source ? *request.content_length : outgoing.body.size()));
  head += "\r\n";
  return head;
}

// Never what a service forbids to store: its length would tell a secret to whoever can put text of their own beside it
// (BREACH, https://www.breachattack.com).
bool is_compressible(const http::Exchange& exchange, const Proxy::Said& said) {
  const auto length = exchange.content_length().value_or(0);
  return exchange.status() == 200 && said.is_json && !said.is_file && !said.is_secret && length >= kLeastCompressed &&
         length <= kMostCompressed;
}

// Writes the fields that depend on the coding, and the length. Returns whether the body is to be compressed.
bool choose_coding(const http::Request& request, const http::Exchange& exchange, const Proxy::Said& said,
                   http::Response& response) {
  const bool is_unchanged = exchange.status() == 304;
  const bool depends = is_unchanged || is_compressible(exchange, said);
  const bool is_compressed = depends && !is_unchanged && accepts_gzip(request);
  std::string vary(said.vary);
  if (depends) vary.append(vary.empty() ? "" : ", ").append("Accept-Encoding");
  if (!vary.empty()) response.add("Vary", vary);
  // A 304 has the tag that the client named; the plain one, if it named both, or any.
  const bool is_plain = !is_compressed && (!is_unchanged || http::names_tag(request, said.etag));
  if (!said.etag.empty()) response.add("ETag", is_plain ? said.etag : tag_in(said.etag, Coding::gzip));
  if (is_compressed)
    response.add("Content-Encoding", "gzip");
  else
    response.stream_length = exchange.content_length();
  return is_compressed;
}

awaitable<std::string> compress(http::Exchange& exchange, const http::Request& request, const Route& route) {
  try {
    co_return co_await gzip(exchange);
  } catch (const http::Unreachable& error) {
    throw problem_of(error, request, route);
  }
}

}  // namespace

Proxy::Proxy(chassis::Process& process, const std::array<std::string, kServiceCount>& urls, const SessionCookie& cookie)
    : tracer_(process.tracer()), cookie_(cookie) {
  const auto to = [&](Service service) {
    return http::UpstreamSettings{
        .url = urls[static_cast<std::size_t>(service)], .answer_limit = kAnyLength, .tls_ca_file = {}};
  };
  for (std::size_t i = 0; i < kServiceCount; ++i) {
    const auto service = static_cast<Service>(i);
    services_[i] = connect(process, std::string(name_of(service)), to(service));
    if (service == Service::contacts || service == Service::conversations)
      uploads_[i] = connect(process, std::string(name_of(service)) + "-uploads", to(service));
  }
  webhooks_ = connect(process, "conversations-webhooks", to(Service::conversations));
  webhook_uploads_ = connect(process, "conversations-webhook-uploads", to(Service::conversations));
  for (const auto& [service, name] : {std::pair{Service::conversations, "conversations-links"},
                                      std::pair{Service::organizations, "organizations-sign-in"}}) {
    auto settings = to(service);
    settings.in_flight = kMaxPublic;
    public_[static_cast<std::size_t>(service)] = connect(process, name, std::move(settings));
  }
  auto streams = to(Service::conversations);
  streams.answer_time = kStreamTime;
  streams.in_flight = kMaxStreams;
  streams.queue = 0;
  streams.read_buffer = kStreamBuffer;
  streams_ = connect(process, "conversations-streams", std::move(streams));
}

std::unique_ptr<http::Upstream> Proxy::connect(chassis::Process& process, const std::string& name,
                                               http::UpstreamSettings settings) const {
  auto out = std::make_unique<http::Upstream>(process.context(), process.wheel(), std::move(settings));
  process.watch(name, *out);
  return out;
}

http::Upstream& Proxy::upstream_for(const Route& route, bool body_streams) const {
  const auto service = static_cast<std::size_t>(route.service);
  if (route.is_stream) return *streams_;
  if (route.is_webhook) return body_streams ? *webhook_uploads_ : *webhooks_;
  if (route.credential != Need::required && public_[service]) return *public_[service];
  return body_streams && uploads_[service] ? *uploads_[service] : *services_[service];
}

void Proxy::end_streams() {
  for (auto* stream : *open_streams_) stream->end();
}

awaitable<http::Response> Proxy::forward(http::Request& request, const Route& route, std::string_view token,
                                         chassis::RequestContext& scope, EventStream::Check may_go_on) {
  http::Outgoing outgoing;
  if (request.has_body && is_short(request))
    outgoing.body = co_await request.body();
  else if (request.has_body)
    outgoing.source = request.body_source;
  std::optional<Upload> upload;
  if (outgoing.source && route.is_webhook)
    upload.emplace(webhooks_uploading_, http::site_of(scope.client_address), kMaxWebhookUploads);
  auto& upstream = upstream_for(route, outgoing.source != nullptr);
  const bool is_recorded = tracer_.records(scope.trace);
  const auto trace = is_recorded ? scope.trace.child() : scope.trace;
  const auto head = head_of(request, outgoing, upstream, token, scope, trace);
  outgoing.head = head;
  outgoing.chunked = !request.content_length;
  outgoing.replayable = route.replayable;
  outgoing.answer_time = route.answer_time;
  outgoing.owner = request.owner.name;
  outgoing.head_only = request.method == http::Method::head;

  const auto start = http::Clock::now();
  std::unique_ptr<http::Exchange> exchange;
  std::optional<http::Unreachable> failure;
  try {
    exchange = co_await upstream.exchange(outgoing);
  } catch (const http::Unreachable& error) {
    failure = error;
  }
  if (is_recorded)
    tracer_.called({request.method, request.target, scope.metrics->route(), upstream, trace, scope.trace.span, start},
                   failure ? http::ClientOutcome{0, failure->why} : http::ClientOutcome{exchange->status()});
  if (failure) {
    scope.error = failure->what();
    throw problem_of(*failure, request, route);
  }
  http::Response response;
  response.status = exchange->status();
  response.content_type = {};
  const auto said = pass_fields(request, *exchange, response);
  // If the service stops reading the body, the gateway does not read the rest either.
  if (outgoing.source) response.close = said.closes;
  const bool is_compressed = choose_coding(request, *exchange, said, response);
  if (route.is_stream && exchange->has_body())
    response.stream = std::make_shared<EventStream>(open_streams_, std::move(exchange), std::move(may_go_on));
  else if (is_compressed && !outgoing.head_only)
    response.body = co_await compress(*exchange, request, route);
  else if (exchange->has_body() || outgoing.head_only)
    response.stream = std::move(exchange);
  co_return response;
}

// All fields but those that depend on the coding.
Proxy::Said Proxy::pass_fields(const http::Request& request, const http::Exchange& exchange,
                               http::Response& response) const {
  Said said;
  bool may_be_stored = false;
  for (const auto& [name, value] : exchange.fields()) {
    if (model::equals_ignoring_case(name, "Connection")) said.closes = model::equals_ignoring_case(value, "close");
    if (is_in(kNotOutward, name)) continue;
    if (model::equals_ignoring_case(name, "ETag")) {
      said.etag = value;
      continue;
    }
    if (model::equals_ignoring_case(name, "Vary")) {
      said.vary = value;
      continue;
    }
    if (model::equals_ignoring_case(name, contracts::organizations::kSessionField)) {
      if (!cookie_.is_of_other_page(request)) cookie_.append(response.head, request, value);
      continue;
    }
    append_field(response.head, name, value);
    if (model::equals_ignoring_case(name, "Content-Type")) said.is_json = value == "application/json";
    if (model::equals_ignoring_case(name, "Content-Disposition")) said.is_file = true;
    if (!model::equals_ignoring_case(name, "Cache-Control")) continue;
    may_be_stored = true;
    said.is_secret = value.find("no-store") != value.npos;
  }
  if (!may_be_stored) response.head += "Cache-Control: no-store\r\n";
  return said;
}

}  // namespace parley::gateway
