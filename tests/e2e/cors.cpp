// Pages of other origins: those that the operator has named, and all others.
#include <algorithm>
#include <set>

#include "tests/e2e/world.hpp"

using namespace parley;
using namespace parley::e2e;

namespace {

const std::string kOrigin = "https://app.example";

struct Bed {
  System system{{.replicas = 1,
                 .environment = {{"PARLEY_CORS_ORIGINS", kOrigin + ", http://localhost:3000"},
                                 {"PARLEY_TRUSTED_PROXIES", "127.0.0.0/8"},
                                 {"PARLEY_RATE_LIMIT_ADDRESS", "1"},
                                 {"PARLEY_RATE_BURST_ADDRESS", "200"}}}};
  Caller owner = system.create_owner("cors@example.com", "Cors");
  Client client{system, owner.api_key};
};

Bed& bed() {
  static Bed the_bed;
  return the_bed;
}

// Of a document of the gateway's own, which is no operation of the contract.
Answer document(const std::string& path, const Headers& headers) {
  Wire wire(bed().system.gateway().port());
  wire.send(support::request_text("GET", path, headers));
  return wire.read().value();
}

// From an address of its own, so that no rate but what is looked at is used up.
Headers headers(Headers more = {}, const std::string& origin = kOrigin) {
  static int count = 0;
  more.emplace_back("X-Forwarded-For", "10.1." + std::to_string(count / 200) + '.' + std::to_string(count % 200 + 1));
  ++count;
  if (!origin.empty()) more.emplace_back("Origin", origin);
  return more;
}

Headers preflight(const std::string& method, const std::string& origin = kOrigin) {
  return headers({{"Access-Control-Request-Method", method},
                  {"Access-Control-Request-Headers", "authorization,content-type,idempotency-key"}},
                 origin);
}

std::set<std::string> items_of(const std::string& list) {
  std::set<std::string> out;
  for (std::size_t at = 0; at < list.size();) {
    const auto end = std::min(list.find(", ", at), list.size());
    out.insert(list.substr(at, end - at));
    at = end + 2;
  }
  return out;
}

// Documents vary by more than that.
bool varies_by_origin(const Answer& answer) {
  return std::ranges::count(answer.headers, std::pair<std::string, std::string>("Vary", "Origin")) == 1;
}

// That a page can read the answer, and all that is documented of its fields.
void check_shown(const Answer& answer) {
  CHECK_EQ(answer.header("Access-Control-Allow-Origin"), kOrigin);
  CHECK_EQ(answer.header("Access-Control-Allow-Credentials"), "");
  CHECK(varies_by_origin(answer));
  const auto shown = items_of(answer.header("Access-Control-Expose-Headers"));
  for (const auto* name : {"ETag", "Link", "Location", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-Id",
                           "Parley-Degraded", "Idempotency-Replayed", "Deprecation", "Sunset", "traceparent"}) {
    INFO(name);
    CHECK(shown.contains(name));
  }
}

void check_not_shown(const Answer& answer) {
  for (const auto& [name, value] : answer.headers) {
    INFO(name << ": " << value);
    CHECK_FALSE(name.starts_with("Access-Control-"));
  }
}

}  // namespace

TEST_CASE("cors: a preflight of a path is told its methods, and the fields that a page may set") {
  for (const auto& [path, methods] : std::vector<std::pair<std::string, std::set<std::string>>>{
           {"/api/contacts", {"GET", "HEAD", "POST"}},
           {"/api/lists/01949c42-b9d5-7199-83fa-f42ccf06b7af", {"GET", "HEAD", "POST", "DELETE"}},
           {"/api/auth/login", {"POST"}},
           {"/openapi.json", {"GET", "HEAD"}}}) {
    INFO(path);
    const auto answer = Client(bed().system)("OPTIONS", path, "", preflight("DELETE"));
    CHECK_EQ(answer.status, 204);
    CHECK_EQ(answer.body, "");
    CHECK_EQ(answer.header("Access-Control-Allow-Origin"), kOrigin);
    CHECK_EQ(items_of(answer.header("Access-Control-Allow-Methods")), methods);
    const auto fields = items_of(answer.header("Access-Control-Allow-Headers"));
    for (const auto* name :
         {"Authorization", "X-API-Key", "x-access-token", "Content-Type", "Idempotency-Key", "If-Match",
          "If-None-Match", "X-Organization-Id", "X-Request-Id", "traceparent", "Last-Event-ID"}) {
      INFO(name);
      CHECK(fields.contains(name));
    }
    CHECK_NE(answer.header("Access-Control-Max-Age"), "");
    CHECK(varies_by_origin(answer));
  }
  const auto unknown = Client(bed().system)("OPTIONS", "/api/nothing", "", preflight("GET"));
  CHECK_EQ(unknown.status, 404);
  CHECK_EQ(unknown.header("Access-Control-Allow-Origin"), kOrigin);
}

TEST_CASE("cors: every answer to a page shows its fields, refusals and streams too") {
  auto& client = bed().client;
  check_shown(client.get("/api/organization", headers()));
  check_shown(client.get("/api/contacts/01949c42-b9d5-7199-83fa-f42ccf06b7af", headers()));
  check_shown(client.post("/api/lists", R"({"name":"of a page"})", headers()));
  check_shown(client.post("/api/lists", "{", headers()));
  check_shown(client("DELETE", "/api/contacts", "", headers()));
  check_shown(client.get("/api/nothing", headers()));
  check_shown(client.get("/api/events?wait=0", headers()));
  check_shown(client("HEAD", "/api/organization", "", headers()));
  Client nobody(bed().system);
  const auto refused = nobody.get("/api/organization", headers());
  CHECK_EQ(refused.status, 401);
  check_shown(refused);
  check_shown(document("/openapi.json", headers()));
  check_shown(nobody.post("/api/auth/login", "{}", headers()));
}

TEST_CASE("cors: preflights take from the address's rate, and a page can read that it must wait") {
  Client nobody(bed().system);
  auto asked = preflight("GET");
  Answer answer;
  for (int i = 0; i < 400 && answer.status != 429; ++i) answer = nobody("OPTIONS", "/api/contacts", "", asked);
  CHECK_EQ(answer.status, 429);
  CHECK_EQ(answer.header("Access-Control-Allow-Origin"), kOrigin);
  answer = {};
  for (int i = 0; i < 400 && answer.status != 429; ++i) answer = document("/openapi.json", asked);
  CHECK_EQ(answer.status, 429);
  check_shown(answer);
}

TEST_CASE("cors: an origin that is not named gets nothing, and no Origin is no matter") {
  auto& client = bed().client;
  for (const std::string origin : {"https://other.example", "https://app.example.other", "https://app.example:444",
                                   "http://app.example", "https://APP.example", "null", "*"}) {
    INFO(origin);
    const auto asked = client("OPTIONS", "/api/contacts", "", preflight("GET", origin));
    CHECK_EQ(asked.status, 405);
    check_not_shown(asked);
    const auto answer = client.get("/api/organization", headers({}, origin));
    CHECK_EQ(answer.status, 200);
    check_not_shown(answer);
    CHECK(varies_by_origin(answer));
  }
  check_not_shown(client.get("/api/organization", headers({}, "")));
  CHECK(varies_by_origin(document("/openapi.json", headers({}, ""))));
  check_not_shown(client("OPTIONS", "/api/contacts", "", headers({{"Access-Control-Request-Method", "GET"}}, "")));
  CHECK_EQ(client("OPTIONS", "/api/contacts", "", headers()).status, 405);  // no preflight
}

TEST_CASE("cors: what the channel calls, and where links lead, are not for pages") {
  Client nobody(bed().system);
  for (const auto* path : {"/webhooks/messaging", "/l/AAECAwQFBjfRAYv1", "/docs"}) {
    INFO(path);
    const auto asked = nobody("OPTIONS", path, "", preflight("POST"));
    CHECK_EQ(asked.status, 405);
    check_not_shown(asked);
    check_not_shown(document(path, headers()));
  }
}

TEST_CASE("cors: by default there is none") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  CHECK_EQ(client("OPTIONS", "/api/contacts", "", preflight("GET")).status, 405);
  check_not_shown(client.get("/api/organization", headers()));
  CHECK_EQ(client.get("/api/organization", headers()).header("Vary"), "");
}
