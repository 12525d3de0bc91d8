// Spans as text, what is sampled, and how tracing is configured.
#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "common/chassis/environment.hpp"
#include "common/chassis/log.hpp"
#include "common/chassis/metrics.hpp"
#include "common/chassis/tracing.hpp"
#include "common/http/loop.hpp"
#include "common/model/json.hpp"

namespace {

using namespace parley;
using namespace parley::chassis;
using namespace std::chrono_literals;

const model::TraceContext kContext{0x0af7651916cd43dd, 0x8448eb211c80319c, 0xb7ad6b7169203331, 1};
const http::Clock::time_point kStart{1000s};

TracingSettings read(const std::map<std::string, std::string>& variables, std::string* faults = nullptr) {
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  Environment environment;
  auto out = TracingSettings::read(environment);
  for (const auto& [name, value] : variables) ::unsetenv(name.c_str());
  std::string all;
  for (const auto& fault : environment.faults()) all += fault + "\n";
  if (faults)
    *faults = all;
  else
    CHECK(all == "");
  return out;
}

std::string faults_of(const std::map<std::string, std::string>& variables) {
  std::string faults;
  read(variables, &faults);
  return faults;
}

struct Bed {
  explicit Bed(double sample, std::string url = "http://127.0.0.1:1/v1/traces")
      : tracer(loop, wheel, {std::move(url), sample, ""}, "test", "1", metrics, log) {}
  http::Loop loop;
  http::DeadlineSweeper wheel{loop};
  Metrics metrics;
  Log log{"test", Level::error};
  Tracer tracer;
};

}  // namespace

TEST_CASE("SpanText: a span as OTLP's JSON has it") {
  std::string out;
  {
    SpanText span(&out,
                  {.kind = SpanKind::server,
                   .name = "GET /api/contacts/{id}",
                   .context = kContext,
                   .parent = 0x00f067aa0ba902b7,
                   .parent_is_remote = true,
                   .tracestate = "a=1",
                   .start = kStart,
                   .end = kStart + 1500us},
                  500);
    span.with("url.path", "/a\"\\\n").with_number("http.response.status_code", 200);
    span.with_text("empty", "").with_text("there", "x");
  }
  CHECK(
      out ==
      R"({"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","parentSpanId":"00f067aa0ba902b7",)"
      R"("flags":769,"traceState":"a=1","name":"GET /api/contacts/{id}","kind":2,)"
      R"("startTimeUnixNano":"1000000000500","endTimeUnixNano":"1000001500500","attributes":[)"
      R"({"key":"url.path","value":{"stringValue":"/a\"\\\n"}},)"
      R"({"key":"http.response.status_code","value":{"intValue":"200"}},)"
      R"({"key":"there","value":{"stringValue":"x"}}]})");
  model::Fault fault;
  CHECK(model::parse(out, fault));
}

TEST_CASE("SpanText: the first of a trace has no parent, and what failed says why") {
  std::string out;
  SpanText(&out, {.kind = SpanKind::client, .name = "n", .context = kContext, .start = kStart, .end = kStart}, 0)
      .failed("timeout");
  CHECK(out ==
        R"({"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","flags":257,"name":"n","kind":3,)"
        R"("startTimeUnixNano":"1000000000000","endTimeUnixNano":"1000000000000","attributes":[)"
        R"({"key":"error.type","value":{"stringValue":"timeout"}}],"status":{"code":2}})");
  std::string none;
  SpanText(&none, {.name = "bare", .context = kContext, .start = kStart, .end = kStart}, 0);
  CHECK(none.ends_with(R"("attributes":[]})"));
}

TEST_CASE("SpanText: what is dropped is nowhere") {
  SpanText span(nullptr, {.name = "n", .context = kContext}, 0);
  span.with("a", "b").with_number("c", 1).with_text("d", "e").failed("f");
}

TEST_CASE("Tracer: the share of traces that is asked for is sampled, and none without somewhere to send it to") {
  const auto sampled = [](double share) {
    const Bed bed(share);
    int count = 0;
    for (int i = 0; i < 10'000; ++i) count += bed.tracer.begin().sampled();
    return count;
  };
  CHECK(sampled(1) == 10'000);
  CHECK(sampled(0) == 0);
  const int tenth = sampled(0.1);
  CHECK(tenth > 700);  // ten standard deviations away
  CHECK(tenth < 1300);
  const Bed off(1, "");
  CHECK_FALSE(off.tracer.on());
  CHECK_FALSE(off.tracer.begin().sampled());
  CHECK_FALSE(off.tracer.records(kContext));
}

TEST_CASE("Tracer: what does not fit is dropped and counted, and memory stays as it is") {
  Bed bed(1);
  for (int i = 0; i < 10'000; ++i) bed.tracer.span({.name = "n", .context = kContext}).with("key", "value");
  const auto text = bed.metrics.scrape();
  CHECK(text.find("traces_spans_total{result=\"dropped\"} 5904\n") != text.npos);
  CHECK(text.find("traces_spans_total{result=\"sent\"} 0\n") != text.npos);
  CHECK(text.find("traces_spans_total{result=\"failed\"} 0\n") != text.npos);
  Bed large(1);
  const std::string long_value(10'000, 'x');
  for (int i = 0; i < 1'000; ++i) large.tracer.span({.name = "n", .context = kContext}).with("key", long_value);
  CHECK(large.metrics.scrape().find("result=\"dropped\"} 0\n") == text.npos);
  CHECK(Bed(1, "").metrics.scrape().find("traces") == text.npos);
}

TEST_CASE("route_of: a target without what is one of many") {
  CHECK(route_of("/internal/lists/0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b/contacts?organization_id=1") ==
        "/internal/lists/{id}/contacts");
  CHECK(route_of("/100000000000001/messages") == "/{id}/messages");
  CHECK(route_of("/oauth/access_token?client_secret=x") == "/oauth/access_token");
  CHECK(route_of("/") == "/");
  CHECK(route_of("") == "");
  CHECK(route_of("/a//b/") == "/a//b/");
}

TEST_CASE("path_told: no query, and no code of a link") {
  CHECK(path_told("/api/contacts?search=x", "/api/contacts") == "/api/contacts");
  CHECK(path_told("/l/abcdef?x=1", "/l/{code}") == "/l/{code}");
  CHECK(path_told("/nowhere", "") == "/nowhere");
}

TEST_CASE("append_trace: the fields of a request") {
  std::string head;
  append_trace(head, kContext, "a=1");
  CHECK(head ==
        "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n"
        "tracestate: a=1\r\n");
  std::string own;
  append_trace(own, {}, "");
  CHECK(own.size() == 13 + 55 + 2);
  const auto made = model::TraceContext::parse(std::string_view(own).substr(13, 55));
  REQUIRE(made);
  CHECK_FALSE(made->sampled());
}

TEST_CASE("TracingSettings: where to, how much, and with what") {
  CHECK(read({}).url == "");
  const std::string full = "http://collector:4318/v1/traces";
  for (const std::string url : {"http://collector:4318", "http://collector:4318/", "http://collector:4318/v1/traces",
                                "http://collector:4318/v1/traces/"})
    CHECK(read({{"PARLEY_TRACES_URL", url}}).url == full);
  CHECK(read({{"PARLEY_TRACES_URL", "https://host/otlp"}}).url == "https://host/otlp/v1/traces");
  CHECK(read({}).sample == 1);
  CHECK(read({{"PARLEY_TRACES_SAMPLE", "0.25"}}).sample == 0.25);
  CHECK(read({{"PARLEY_TRACES_SAMPLE", "0"}}).sample == 0);
  CHECK(read({{"PARLEY_TRACES_HEADERS", "Authorization=Bearer%20a=b%2Cc,X-RequestContext-OrgID=7"}}).headers ==
        "Authorization: Bearer a=b,c\r\nX-RequestContext-OrgID: 7\r\n");
  CHECK(read({{"PARLEY_TRACES_HEADERS", "a=100%,b=%4"}}).headers == "a: 100%\r\nb: %4\r\n");
}

TEST_CASE("TracingSettings: mistakes are told, secrets are not") {
  for (const std::string url : {"collector:4318", "ftp://host", "http://", "http://a:4318,http://b:4318"})
    CHECK(faults_of({{"PARLEY_TRACES_URL", url}}).starts_with("PARLEY_TRACES_URL "));
  for (const std::string share : {"2", "-0.1", "half", "0,5", "nan", "inf", "1 "})
    CHECK(faults_of({{"PARLEY_TRACES_SAMPLE", share}}) == "PARLEY_TRACES_SAMPLE must be a number from 0 to 1\n");
  for (const std::string fields : {"secret-word", "a b=secret-word", "=secret-word", "a=", "a=secret-word%0D%0Ab: c",
                                   "a=secret-word\nb=c", "a=1,,b=2"}) {
    INFO(fields);
    CHECK(faults_of({{"PARLEY_TRACES_HEADERS", fields}}) ==
          "PARLEY_TRACES_HEADERS must be NAME=VALUE, with commas between several\n");
  }
}
