// Log lines, request ids and traces, and what becomes of whatever is thrown.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <string>
#include <vector>

#include "common/chassis/boundary.hpp"
#include "common/chassis/service_client.hpp"
#include "common/http/problem.hpp"
#include "common/http/upstream.hpp"
#include "common/pg/error.hpp"

namespace {

using namespace parley;
using namespace parley::chassis;

// What is written to standard output while it lives.
class Captured {
 public:
  Captured() {
    std::fflush(stdout);
    saved_ = ::dup(STDOUT_FILENO);
    file_ = ::open("/tmp", O_TMPFILE | O_RDWR, 0600);
    ::dup2(file_, STDOUT_FILENO);
  }
  ~Captured() {
    ::dup2(saved_, STDOUT_FILENO);
    ::close(saved_);
    ::close(file_);
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  std::vector<std::string> lines() const {
    std::vector<std::string> out(1);
    char octet;
    for (off_t at = 0; ::pread(file_, &octet, 1, at) == 1; ++at) {
      if (octet == '\n')
        out.emplace_back();
      else
        out.back() += octet;
    }
    out.pop_back();
    return out;
  }

 private:
  int saved_ = -1, file_ = -1;
};

boost::json::object parse_line(const std::string& line) {
  model::Fault fault;
  auto json = model::parse(line, fault);
  INFO(line);
  REQUIRE(json);
  return json->as_object();
}

// One boundary, and a request through it.
struct Bed {
  Metrics metrics;
  Log log{"test", Level::info};
  Boundary boundary{metrics, log, Level::info};
  std::vector<http::Field> fields;
  std::string path = "/api/x";
  RequestContext seen;
  std::vector<std::string> lines;

  http::Response run(std::function<awaitable<http::Response>(http::Request&, RequestContext&)> work) {
    boost::asio::io_context context;
    http::Request request;
    request.method = http::Method::get;
    request.path = path;
    request.fields = fields;
    http::Response out;
    const Boundary::Work seeing = [&](http::Request& r, RequestContext& scope) {
      seen = scope;
      return work(r, scope);
    };
    const Captured captured;
    auto running = boundary.run(request, seeing);
    boost::asio::co_spawn(context, std::move(running), [&](std::exception_ptr error, http::Response response) {
      CHECK_FALSE(error);
      out = std::move(response);
    });
    context.run();
    log.flush();
    lines = captured.lines();
    return out;
  }
  http::Response run() {
    return run([](http::Request&, RequestContext&) -> awaitable<http::Response> { co_return http::Response{}; });
  }
  template <class Thrown>
  http::Response run_throwing(const Thrown& thrown) {
    return run([&thrown](http::Request&, RequestContext&) -> awaitable<http::Response> {
      throw thrown;
      co_return http::Response{};
    });
  }
  std::string traceparent_of(std::string_view received) {
    fields = {{"traceparent", received}};
    run();
    const auto text = seen.trace.text();
    return {text.data(), text.size()};
  }
};

std::string value_of(const http::Response& response, const std::string& name) {
  const auto at = response.head.find(name + ": ");
  if (at == std::string::npos) return "";
  const auto begin = at + name.size() + 2;
  return response.head.substr(begin, response.head.find('\r', begin) - begin);
}

pg::SqlError sql_error(const std::string& state) {
  return {"contacts.contacts.find", state, "the message", "a secret", "c"};
}

}  // namespace

TEST_CASE("Log: each line is a JSON object with its fields") {
  std::vector<std::string> lines;
  {
    const Captured captured;
    {
      Log log("contacts", Level::info);
      log.info("one \"quoted\"\n")
          .with("text", std::string_view("\x01\\\t"))
          .with("n", std::uint64_t{7})
          .with("d", 1.5);
      log.info("two").with_text("empty", "").with_text("there", "x").with("flag", true);
      log.line(Level::debug, "not written").with("x", 1);
      log.line(Level::info, "three");
      CHECK(captured.lines().empty());  // gathered
      log.warn("urgent");
      CHECK(captured.lines().size() == 4);
      log.info("at the end");
    }
    lines = captured.lines();
  }
  REQUIRE(lines.size() == 5);
  for (const auto& line : lines) {
    const auto json = parse_line(line);
    CHECK(model::Timestamp::parse(std::string(json.at("ts").as_string())));
    CHECK(json.at("service").as_string() == "contacts");
  }
  const auto one = parse_line(lines[0]);
  CHECK(one.at("msg").as_string() == "one \"quoted\"\n");
  CHECK(one.at("text").as_string() == "\x01\\\t");
  CHECK(one.at("n").as_int64() == 7);
  CHECK(one.at("d").as_double() == 1.5);
  CHECK_FALSE(parse_line(lines[1]).contains("empty"));
  CHECK(parse_line(lines[3]).at("level").as_string() == "warn");
}

TEST_CASE("Log: much of it leaves at once") {
  const Captured captured;
  Log log("x", Level::info);
  for (int i = 0; i < 1000; ++i) log.info(std::string(100, 'x'));
  CHECK(captured.lines().size() > 700);
}

TEST_CASE("Boundary: the request id is the caller's if it is sound") {
  Bed bed;
  const std::string longest(128, 'a');
  for (const auto& good : {std::string("abc-123_X.y"), longest}) {
    bed.fields = {{"X-Request-Id", good}};
    const auto response = bed.run();
    CHECK(value_of(response, "X-Request-Id") == good);
    CHECK(parse_line(bed.lines.at(0)).at("request_id").as_string() == good);
  }
  for (const auto& bad : {std::string(), longest + "a", std::string("a b"), std::string("a\"b"),
                          std::string("\xC3\xA9"), std::string("a;b"), std::string("<x>")}) {
    bed.fields = {{"X-Request-Id", bad}};
    CHECK(model::Uuid::parse(value_of(bed.run(), "X-Request-Id")));
  }
}

TEST_CASE("Boundary: the trace is the caller's if it is sound") {
  Bed bed;
  const std::string sound = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const auto ours = bed.traceparent_of(sound);
  CHECK(ours.size() == 55);
  CHECK(ours.substr(0, 36) == sound.substr(0, 36));
  CHECK(ours.substr(36, 16) != sound.substr(36, 16));
  CHECK(ours.substr(52) == "-01");
  CHECK(bed.traceparent_of("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00").substr(52) == "-00");
  for (const std::string bad : {"", "00", "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0g",
                                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-\"x",
                                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
                                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
                                "00_0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331_01"}) {
    INFO(bad);
    const auto made = bed.traceparent_of(bad);
    CHECK(made.size() == 55);
    CHECK(made.find_first_not_of("0123456789abcdef-") == std::string::npos);
    CHECK(made.substr(52) == "-02");  // random, and not sampled: nobody records it
    CHECK(made.substr(3, 32).find_first_not_of('0') != std::string::npos);
    if (bad.size() >= 35) CHECK(made.substr(3, 32) != bad.substr(3, 32));
  }
}

TEST_CASE("Boundary: two traceparents are none, and what the state of a trace is goes with it") {
  Bed bed;
  const std::string sound = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  bed.fields = {{"traceparent", sound}, {"tracestate", "a=1"}, {"Tracestate", "b=2"}};
  bed.run();
  CHECK(bed.seen.tracestate == "a=1,b=2");
  CHECK(bed.seen.caller_span == 0xb7ad6b7169203331);
  const auto line = parse_line(bed.lines.at(0));
  CHECK(line.at("trace_id").as_string() == "0af7651916cd43dd8448eb211c80319c");
  CHECK(line.at("span_id").as_string() != "b7ad6b7169203331");
  bed.fields = {{"traceparent", sound}, {"TraceParent", sound}, {"tracestate", "a=1"}};
  bed.run();
  CHECK(bed.seen.trace.trace_high != 0x0af7651916cd43dd);
  CHECK(bed.seen.caller_span == 0);
  CHECK(bed.seen.tracestate == "");
  const std::string long_state = "a=" + std::string(511, 'x');
  bed.fields = {{"traceparent", sound}, {"tracestate", long_state}};
  bed.run();
  CHECK(bed.seen.trace.trace_high == 0x0af7651916cd43dd);
  CHECK(bed.seen.tracestate == "");
  bed.fields = {{"tracestate", "a=1"}};
  bed.run();
  CHECK(bed.seen.tracestate == "");
}

TEST_CASE("Boundary: whatever is thrown becomes an answer") {
  Bed bed;
  const auto status = [&](const auto& thrown) {
    const auto response = bed.run_throwing(thrown);
    CHECK(response.content_type == "application/problem+json");
    const auto json = parse_line(response.body);
    CHECK(json.at("status").as_int64() == response.status);
    CHECK(json.at("requestId").as_string() == boost::json::string_view(value_of(response, "X-Request-Id")));
    CHECK(json.at("instance").as_string() == "/api/x");
    CHECK(response.body.find("secret") == std::string::npos);
    CHECK(response.body.find("message") == std::string::npos);
    REQUIRE(bed.lines.size() == 1);
    const auto line = parse_line(bed.lines[0]);
    CHECK(line.at("status").as_int64() == response.status);
    CHECK((line.at("level").as_string() == "error") == (response.status >= 500));
    CHECK(bed.lines[0].find("a secret") == std::string::npos);
    return response.status;
  };
  CHECK(status(http::Problem({.status = 418, .detail = "x"})) == 418);
  CHECK(status(std::runtime_error("the message")) == 500);
  CHECK(parse_line(bed.lines[0]).at("error").as_string() == "the message");
  CHECK(status(7) == 500);
  CHECK(status(pg::Unavailable("the message")) == 503);
  CHECK(status(pg::OutcomeUnknown("the message")) == 504);  // it may have been done
  CHECK(status(pg::MappingError("the message")) == 500);
  CHECK(status(sql_error("22P02")) == 400);
  CHECK(status(sql_error("22003")) == 400);
  CHECK(status(sql_error("55P03")) == 503);
  CHECK(status(sql_error("57014")) == 503);
  CHECK(status(sql_error("53300")) == 503);
  CHECK(status(sql_error("40P01")) == 503);
  CHECK(status(sql_error("23505")) == 500);
  CHECK(status(sql_error("42P01")) == 500);
  CHECK(parse_line(bed.lines[0]).at("error").as_string() == "contacts.contacts.find: 42P01 the message");
  CHECK(status(http::Unreachable(http::Unreachable::Why::timeout, "the message", false)) == 503);
  const auto busy = bed.run_throwing(pg::Unavailable("x"));
  CHECK(value_of(busy, "Retry-After") == "1");
}

TEST_CASE("Boundary: the log has no link's code, also of a request that was refused") {
  Bed bed;
  bed.path = "/l/abcdef";
  bed.run([](http::Request&, RequestContext& scope) -> awaitable<http::Response> {
    scope.pattern = "/l/{code}";
    throw http::Problem({.status = 405, .detail = "this resource knows only GET"});
    co_return http::Response{};
  });
  REQUIRE(bed.lines.size() == 1);
  CHECK(parse_line(bed.lines[0]).at("path").as_string() == "/l/{code}");
  bed.path = "/api/x";
  bed.run();
  CHECK(parse_line(bed.lines.at(0)).at("path").as_string() == "/api/x");
}

TEST_CASE("Boundary: what a deadlock undid is done again, three times at most") {
  Bed bed;
  int tries = 0;
  const auto failing = [&](int failures, const char* state) {
    tries = 0;
    return bed.run([&tries, failures, state](http::Request&, RequestContext&) -> awaitable<http::Response> {
      if (++tries <= failures) throw sql_error(state);
      co_return http::Response{};
    });
  };
  CHECK(failing(2, "40P01").status == 200);
  CHECK(tries == 3);
  CHECK(failing(9, "40001").status == 503);
  CHECK(tries == 3);
  CHECK(failing(1, "23505").status == 500);
  CHECK(tries == 1);
}

TEST_CASE("Boundary: what cannot be read") {
  Bed bed;
  for (const unsigned status : {400u, 408u, 413u, 414u, 417u, 431u, 500u, 501u}) {
    const Captured captured;
    const auto response = bed.boundary.unreadable(status, "reason", "127.0.0.1");
    CHECK(response.status == status);
    CHECK(response.close);
    CHECK(parse_line(response.body).at("status").as_int64() == status);
    bed.log.flush();
    REQUIRE(captured.lines().size() == 1);
    CHECK(parse_line(captured.lines()[0]).at("reason").as_string() == "reason");
  }
}

TEST_CASE("Metrics: requests are counted by route and status") {
  Bed bed;
  const auto route = bed.boundary.route("GET", "/api/x/{id}");
  bed.run([&](http::Request&, RequestContext& scope) -> awaitable<http::Response> {
    scope.metrics = route.get();
    co_return http::Response{};
  });
  bed.run();
  const auto text = bed.metrics.scrape();
  CHECK(text.find("http_requests_total{method=\"GET\",route=\"/api/x/{id}\",status=\"200\"} 1") != std::string::npos);
  CHECK(text.find("route=\"unmatched\"") != std::string::npos);
  CHECK(text.find("http_request_duration_seconds_bucket{method=\"GET\",route=\"/api/x/{id}\",le=\"+Inf\"} 1") !=
        std::string::npos);
}

TEST_CASE("Metrics: what a client takes to send a body is not in a request's duration") {
  struct Slow final : http::BodySource {
    awaitable<std::string_view> next() override { co_return std::string_view{}; }
    std::chrono::nanoseconds waited() const override { return std::chrono::hours(1); }
  };
  Bed bed;
  Slow slow;
  bed.run([&](http::Request& request, RequestContext& scope) -> awaitable<http::Response> {
    scope.start -= std::chrono::hours(1);
    request.body_source = &slow;
    co_return http::Response{};
  });
  bed.run([&](http::Request&, RequestContext& scope) -> awaitable<http::Response> {
    scope.start -= std::chrono::hours(1);
    co_return http::Response{};
  });
  const auto text = bed.metrics.scrape();
  CHECK(text.find("http_request_duration_seconds_bucket{method=\"other\",route=\"unmatched\",le=\"10\"} 1") !=
        std::string::npos);
  CHECK(text.find("http_request_duration_seconds_count{method=\"other\",route=\"unmatched\"} 2") != std::string::npos);
}

TEST_CASE("Fragments: lines by id") {
  const auto a = model::new_uuid(), b = model::new_uuid(), c = model::new_uuid();
  Lines<std::vector<int>, std::string> lines;
  lines.append(a, std::vector<int>{1, 2});
  lines.append(b, std::string("x y"));
  const auto& body = lines.text;
  const Fragments parts(body);
  CHECK(parts.of(a) == "[1,2]");
  CHECK(parts.of(b) == "\"x y\"");
  CHECK_FALSE(parts.of(c));
  CHECK_FALSE(Fragments("").of(a));
  CHECK(Fragments(body.substr(0, body.size() - 1)).of(b) == "\"x y\"");
  for (const auto& odd :
       {std::string("\n\n\n"), std::string("x"), std::string("<html>\n</html>\n"), std::string("null"),
        std::string(36, 'x'), a.text(), a.text() + "\n", a.text() + " ", a.text() + "-1", body + "x"})
    CHECK_THROWS_AS(Fragments{odd}, http::Unreachable);
}
