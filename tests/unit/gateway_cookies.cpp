// The session cookie of browsers: where it counts, and what it is called.
#include <doctest/doctest.h>

#include "common/contracts/organizations.hpp"
#include "common/http/problem.hpp"
#include "common/identity/api_key.hpp"
#include "common/identity/session_token.hpp"
#include "gateway/credential.hpp"

using namespace parley;
using namespace parley::gateway;

namespace {

using Fields = std::vector<http::Field>;

http::Request request_of(const Fields& fields, http::Method method = http::Method::get) {
  http::Request request;
  request.method = method;
  request.fields = fields;
  return request;
}

// The credential of the request, "" for none, or the status of its refusal.
std::string read(const http::Request& request, const SessionCookie& cookie, const Route& route) {
  try {
    return std::string(read_credential(request, route, cookie).text);
  } catch (const http::Problem& problem) {
    return std::to_string(problem.status);
  }
}

Route route_of(bool reads) {
  Route route{};
  route.replayable = reads;
  return route;
}

}  // namespace

TEST_SUITE("unit: gateway cookies") {
  TEST_CASE("only a page of this origin may change anything by the cookie, and no other page read") {
    const SessionCookie cookie("https://parley.example");
    const http::Field session{"Cookie", "a=1; __Host-parley=TOKEN; b=2"}, host{"Host", "inside:8080"};
    struct Case {
      Fields more;
      std::string reading, changing;
    };
    const std::vector<Case> cases{
        {{}, "TOKEN", "403"},
        {{{"Sec-Fetch-Site", "same-origin"}}, "TOKEN", "TOKEN"},
        {{{"Sec-Fetch-Site", "none"}}, "TOKEN", "403"},
        {{{"Sec-Fetch-Site", "same-site"}}, "403", "403"},
        {{{"Sec-Fetch-Site", "cross-site"}}, "403", "403"},
        {{{"Sec-Fetch-Site", ""}}, "403", "403"},
        {{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://parley.example"}}, "403", "403"},
        {{{"Origin", "https://parley.example"}}, "TOKEN", "TOKEN"},
        {{{"Origin", "https://inside:8080"}}, "TOKEN", "TOKEN"},
        {{{"Origin", "https://evil.example"}}, "403", "403"},
        {{{"Origin", "https://parley.example.evil"}}, "403", "403"},
        {{{"Origin", "null"}}, "403", "403"},
        {{{"Origin", ""}}, "403", "403"},
    };
    for (const auto& each : cases) {
      Fields fields{host, session};
      fields.insert(fields.end(), each.more.begin(), each.more.end());
      INFO((each.more.empty() ? "" : std::string(each.more.back().name) + ": " + std::string(each.more.back().value)));
      CHECK_EQ(read(request_of(fields), cookie, route_of(true)), each.reading);
      CHECK_EQ(read(request_of(fields, http::Method::head), cookie, route_of(true)), each.reading);
      CHECK_EQ(read(request_of(fields, http::Method::post), cookie, route_of(false)), each.changing);
      CHECK_EQ(read(request_of(fields, http::Method::del), cookie, route_of(false)), each.changing);
      CHECK_EQ(read(request_of(fields), cookie, route_of(false)), "");  // a GET that changes something
      fields.push_back({"X-API-Key", "KEY"});                           // counts alone
      CHECK_EQ(read(request_of(fields, http::Method::post), cookie, route_of(false)), "KEY");
    }
  }

  TEST_CASE("the cookie has another name on loopback without TLS, and several that differ are none") {
    const auto found = [](const SessionCookie& cookie, std::string_view host, const Fields& cookies) {
      Fields fields{{"Host", host}};
      fields.insert(fields.end(), cookies.begin(), cookies.end());
      return std::string(cookie.find(request_of(fields)));
    };
    const Fields both{{"Cookie", "parley=PLAIN;__Host-parley=SECURE"}};
    for (const auto* host : {"localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080", "LocalHost", "127.9.9.9"}) {
      INFO(host);
      CHECK_EQ(found(SessionCookie(), host, both), "PLAIN");
      CHECK_EQ(found(SessionCookie("http://127.0.0.1:8080"), host, both), "PLAIN");
      CHECK_EQ(found(SessionCookie("https://parley.example"), host, both), "SECURE");
    }
    for (const auto* host :
         {"", "parley.example", "10.0.0.1", "localhost.example", "127.0.0.1.example", "[::2]", "a b"}) {
      INFO(host);
      CHECK_EQ(found(SessionCookie(), host, both), "SECURE");
    }
    const SessionCookie cookie;
    CHECK_EQ(found(cookie, "x", {{"Cookie", "__Host-parley=A"}, {"cookie", "__Host-parley=A"}}), "A");
    CHECK_EQ(found(cookie, "x", {{"Cookie", "__Host-parley=A"}, {"cookie", "__Host-parley=B"}}), "");
    CHECK_EQ(found(cookie, "x", {{"Cookie", "__Host-parley=A; __Host-parley=B"}}), "");
    CHECK_EQ(found(cookie, "x", {{"Cookie", "__Host-parley-x=A; x__Host-parley=B; __Host-parley; =;;"}}), "");
  }

  TEST_CASE("what is set names the origin's cookie, and is for no script and no other site") {
    const auto set = [](std::string_view host, std::string_view value) {
      const Fields fields{{"Host", host}};
      std::string head;
      SessionCookie().append(head, request_of(fields), value);
      return head;
    };
    CHECK_EQ(set("parley.example", "TOKEN; Max-Age=60"),
             "Set-Cookie: __Host-parley=TOKEN; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure\r\n");
    CHECK_EQ(set("localhost:8080", contracts::organizations::kNoSession),
             "Set-Cookie: parley=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict\r\n");
  }

  TEST_CASE("the organization is a parameter where the operation says so, and not another than the header's") {
    const auto session = identity::SessionToken::create(model::new_uuid()).text();
    const auto one = model::new_uuid().text(), other = model::new_uuid().text();
    const auto acts_in = [&](bool takes, const std::string& query, const Fields& more) {
      Route route = route_of(true);
      route.takes_organization = takes;
      Fields fields{{"X-API-Key", session}};
      fields.insert(fields.end(), more.begin(), more.end());
      auto request = request_of(fields);
      request.query = query;
      try {
        return read_credential(request, route, SessionCookie()).organization;
      } catch (const http::Problem& problem) {
        return std::to_string(problem.status);
      }
    };
    CHECK_EQ(acts_in(true, "format=csv&organization_id=" + one, {}), one);
    CHECK_EQ(acts_in(true, "organization%5Fid=" + one, {}), one);
    CHECK_EQ(acts_in(false, "organization_id=" + one, {}), "");
    CHECK_EQ(acts_in(true, "organization_id=" + one, {{"X-Organization-Id", one}}), one);
    CHECK_EQ(acts_in(true, "organization_id=" + one, {{"X-Organization-Id", other}}), "400");
    CHECK_EQ(acts_in(true, "organization_id=" + one + "&organization_id=" + other, {}), "400");
    CHECK_EQ(acts_in(true, "organization_id=%zz", {}), "400");
  }
}
