// Problems, faults, and what a body must be.
#include <doctest/doctest.h>

#include <boost/describe/class.hpp>
#include <string>

#include "common/http/body.hpp"

namespace {

using namespace parley;
using namespace parley::http;

unsigned status_of(std::string_view content_type, std::string_view content_encoding = {}) {
  const Field fields[] = {{"content-type", content_type}, {"content-encoding", content_encoding}};
  Request request;
  request.fields = std::span(fields).first(content_encoding.empty() ? 1 : 2);
  try {
    require_json(request);
  } catch (const Problem& problem) {
    return problem.status;
  }
  return 200;
}

bool is_url(std::string_view text) {
  Faults faults;
  faults.check_url("/websiteUrl", text);
  return faults.empty();
}

bool is_text(std::string_view text, std::size_t least, std::size_t most) {
  Faults faults;
  faults.check_text("/name", text, least, most);
  return faults.empty();
}

}  // namespace

TEST_CASE("to_response: RFC 9457") {
  const Problem problem({.status = 405,
                         .detail = "a \"quoted\" word",
                         .errors = {{"/a", "one"}, {"?b", "two"}},
                         .head = "Allow: GET\r\n",
                         .close = true});
  const auto response = to_response(problem, "/api/x", "id-1");
  CHECK(response.status == 405);
  CHECK(response.content_type == "application/problem+json");
  CHECK(response.close);
  CHECK(response.head.find("Allow: GET\r\n") == 0);
  CHECK(response.head.find("Cache-Control: no-store\r\n") != std::string::npos);
  CHECK(
      response.body ==
      R"({"type":"about:blank","title":"Method Not Allowed","status":405,"detail":"a \"quoted\" word","instance":"/api/x",)"
      R"("requestId":"id-1","errors":[{"pointer":"/a","detail":"one"},{"pointer":"?b","detail":"two"}]})");
  model::Fault fault;
  CHECK(model::parse(to_response({.status = 599, .detail = ""}, "", "").body, fault));
}

TEST_CASE("to_response: a problem that the status does not name has a type and a title of its own") {
  const auto response = to_response({.status = 401, .detail = "d", .type = "/docs/x#y", .title = "A y"}, "/", "");
  CHECK(response.body.starts_with(R"({"type":"/docs/x#y","title":"A y","status":401,"detail":"d")"));
}

TEST_CASE("statuses that are answered have a phrase") {
  for (const unsigned status : {200u, 201u, 202u, 204u, 304u, 400u, 401u, 403u, 404u, 405u, 408u, 409u, 412u,
                                413u, 414u, 415u, 417u, 422u, 429u, 431u, 500u, 501u, 502u, 503u, 504u}) {
    INFO(status);
    CHECK(reason_of(status) != "");
    CHECK(reason_of(status) != "<unknown-status>");
  }
}

TEST_CASE("Faults: one Problem of all, the first one in its detail") {
  Faults faults;
  faults.throw_if_any();
  faults.add("/a", "is wrong");
  faults.add("/b", "too");
  try {
    faults.throw_if_any();
    FAIL("nothing thrown");
  } catch (const Problem& problem) {
    CHECK(problem.status == 400);
    CHECK(problem.detail == "/a is wrong, and 1 more");
    CHECK(problem.errors.size() == 2);
  }
  Faults outer;
  Faults inner;
  inner.add("", "is wrong");
  inner.add("/text", "is required");
  outer.add_below("/message", std::move(inner));
  try {
    outer.throw_if_any();
    FAIL("nothing thrown");
  } catch (const Problem& problem) {
    CHECK(problem.errors.at(0).pointer == "/message");
    CHECK(problem.errors.at(1).pointer == "/message/text");
  }
  Faults many;
  for (int i = 0; i < 100'000; ++i) many.add("/tags/" + std::to_string(i), "must be a string");
  try {
    many.throw_if_any();
    FAIL("nothing thrown");
  } catch (const Problem& problem) {
    CHECK(problem.detail.find("and 99999 more") != std::string::npos);
    CHECK(problem.errors.size() == 100);
  }
}

TEST_CASE("check_text") {
  CHECK(is_text("a", 1, 255));
  CHECK(is_text(std::string(255, 'a'), 1, 255));
  CHECK_FALSE(is_text(std::string(256, 'a'), 1, 255));
  std::string letters;
  for (int i = 0; i < 255; ++i) letters += "\xC3\xA9";
  CHECK(is_text(letters, 1, 255));  // characters, not octets
  CHECK_FALSE(is_text("", 1, 255));
  CHECK_FALSE(is_text("  \t", 1, 255));
  CHECK_FALSE(is_text("\xE2\x80\x8B", 1, 255));
  CHECK(is_text("", 0, 255));
  CHECK(is_text("  ", 0, 255));
  CHECK_FALSE(is_text("\xFF", 0, 255));
}

TEST_CASE("check_url") {
  for (const std::string good :
       {"", "http://example.com", "https://example.com/a/b?c=d#e", "HTTPS://EXAMPLE.COM", "http://127.0.0.1:8080/",
        "http://[::1]:80/x", "http://169.254.169.254/latest", "https://xn--bcher-kva.example/"}) {
    INFO(good);
    CHECK(is_url(good));
  }
  for (const std::string bad : {"javascript:alert(1)",
                                "JavaScript:alert(1)",
                                "data:text/html,x",
                                "ftp://a/b",
                                "file:///etc/passwd",
                                "//a/b",
                                "/a/b",
                                "a",
                                "http:",
                                "http:/a",
                                "http:///a",
                                "http://",
                                "http://u@a/",
                                "http://u:p@a/",
                                "http://@a/",
                                "http://a b/",
                                "http://a/\x01",
                                "http://a/ b",
                                " http://a/",
                                "http://a/\n",
                                "http://a\\@b/",
                                "https://",
                                "http://a/%zz",
                                "http://b\xC3\xBC"
                                "cher.example/",
                                "http:a",
                                "http://a:80:90/",
                                "http://[::1]$/",
                                "http://a:$/",
                                "mailto:a@b"}) {
    INFO(bad);
    CHECK_FALSE(is_url(bad));
  }
  const std::string base = "https://example.com/";
  CHECK(is_url(base + std::string(2048 - base.size(), 'x')));
  CHECK_FALSE(is_url(base + std::string(2049 - base.size(), 'x')));
  CHECK_FALSE(is_url(std::string("http://a/\0b", 11)));
}

TEST_CASE("require_json") {
  for (const std::string good :
       {"application/json", "APPLICATION/JSON", "application/json; charset=utf-8", "application/json;charset=UTF-8",
        "application/json ; charset=\"utf-8\"", "application/json;"}) {
    INFO(good);
    CHECK(status_of(good) == 200);
  }
  for (const std::string bad :
       {"", "text/plain", "application/jsonx", "application/problem+json", "application/json; charset=utf-16",
        "application/json; charset=utf-8; x=y", "application/x-www-form-urlencoded", "application/json, text/plain"}) {
    INFO(bad);
    CHECK(status_of(bad) == 415);
  }
  CHECK(status_of("application/json", "identity") == 200);
  CHECK(status_of("application/json", "gzip") == 415);
}

TEST_CASE("parse_body") {
  const auto detail = [](std::string_view body) -> std::string {
    try {
      parse_body(body);
    } catch (const Problem& problem) {
      CHECK(problem.status == 400);
      return problem.detail;
    }
    return "";
  };
  CHECK(detail("{}") == "");
  CHECK(detail("").find("missing") != std::string::npos);
  CHECK(detail("{\"a\":1,\"a\":2}").find("twice") != std::string::npos);
  CHECK(detail("{").find("not valid JSON") != std::string::npos);
}
