// Fields that strangers fill in: entity tags, traces, forwarded addresses, media types, paths, ranges.
#include "common/http/address.hpp"
#include "common/http/etag.hpp"
#include "common/http/range.hpp"
#include "common/http/router.hpp"
#include "common/model/trace.hpp"
#include "conversations/campaigns/links/visitors.hpp"
#include "conversations/channel/media/kinds.hpp"
#include "gateway/client_address.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;

namespace {

// What we gave is found again behind whatever is a list of tags, and alone.
void tags(const std::string& value) {
  http::Response given;
  given.body = "body";
  http::add_etag({}, given, "7");
  const auto tag = given.head.substr(6, given.head.find('\r') - 6);
  const auto named = [&](const std::string& list) {
    const http::Field fields[] = {{"if-match", list}, {"If-None-Match", list}};
    http::Request request;
    request.fields = fields;
    http::Response again;
    again.body = "body";
    http::add_etag(request, again, "7");
    MUST(again.body.empty() == (again.status == 304));
    return std::pair(http::matches_version(request, "7"), again.status == 304);
  };
  const auto [matches, is_known] = named(value);
  MUST(!matches || value.find("\"7-") != value.npos || value.find('*') != value.npos);
  MUST(!is_known || value.find(tag) != value.npos || value.find('*') != value.npos);
  MUST(named(tag + value) == std::pair(true, true));
}

void traces(const std::string& value) {
  if (const auto trace = model::TraceContext::parse(value)) {
    const auto text = trace->text();
    const std::string_view written(text.data(), text.size());
    MUST(model::TraceContext::parse(written) == trace);
    MUST_EQUAL(written.substr(3, 49), value.substr(3, 49));
    MUST(*trace && trace->child().trace_low == trace->trace_low);
  }
  if (model::is_tracestate(value)) MUST(value.size() <= 512 && value.find_first_of("\r\n") == value.npos);
}

void addresses(const std::string& value) {
  static const auto proxies = [] {
    gateway::TrustedProxies out;
    out.add("10.0.0.0/8");
    out.add("fd00::/8");
    return out;
  }();
  const http::Field fields[] = {{"X-Forwarded-For", value}, {"User-Agent", value}, {"Sec-Purpose", value}};
  http::Request request;
  request.fields = fields;
  conversations::links::is_preview(request);
  request.remote_address = "192.0.2.1";
  MUST_EQUAL(proxies.client_of(request), "192.0.2.1");
  request.remote_address = "10.0.0.1";
  boost::system::error_code error;
  boost::asio::ip::make_address(proxies.client_of(request), error);
  MUST(!error);
  MUST_EQUAL(http::network_of(http::network_of(value)), http::network_of(value));
  const auto address = boost::asio::ip::make_address(value, error);
  if (!error && http::is_public(address))
    MUST(!address.is_loopback() && !address.is_unspecified() && !address.is_multicast());
}

void paths(const std::string& value) {
  static const auto router = [] {
    http::Router out;
    for (const auto* pattern : {"/a", "/a/{id}", "/a/{id}/b", "/a/b/{id}", "/l/{code}"})
      out.add(http::Method::get, pattern);
    return out;
  }();
  const auto match = router.match(http::Method::get, value);
  MUST(match.found == !match.pattern.empty());
  std::string rebuilt;
  std::size_t next = 0;
  for (std::size_t i = 0; i < match.pattern.size(); ++i)
    if (match.pattern[i] != '{') {
      rebuilt += match.pattern[i];
    } else {
      MUST(next < match.parameters.count && !match.parameters.values[next].empty());
      rebuilt += match.parameters.values[next++];
      i = match.pattern.find('}', i);
    }
  if (match.found) MUST_EQUAL(rebuilt, value);
}

void ranges(const std::string& value) {
  const http::Field fields[] = {{"Range", value}};
  http::Request request;
  request.method = http::Method::get;
  request.fields = fields;
  for (const std::uint64_t size : {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{100} << 20}) {
    const auto range = http::choose_range(request, size, "");
    if (range.kind != http::Range::Kind::part) continue;
    MUST(range.length > 0 && range.first < size && range.length <= size - range.first);
  }
}

}  // namespace

FUZZ(http_fields) {
  const auto which = input.choice(5);
  const std::string value(input.rest());
  if (which == 0) {
    tags(value);
    ranges(value);
  }
  if (which == 1) traces(value);
  if (which == 2) addresses(value);
  if (which == 3) paths(value);
  if (which == 4 && conversations::media::find_kind(value)) MUST(value.find('/') != value.npos);
}
