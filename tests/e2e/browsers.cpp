// Pages of the gateway's own origin: a session by a cookie that no script reads and no other page can use.
#include <boost/json/serialize.hpp>

#include "tests/e2e/world.hpp"

using namespace parley;
using namespace parley::e2e;

namespace {

namespace json = boost::json;

const std::string kPassword = "correct horse battery";
const Headers kOwnPage{{"Sec-Fetch-Site", "same-origin"}};

std::string new_email() { return model::new_uuid().text() + "@browsers.example"; }

// `NAME=TOKEN` of what the answer sets; "" if it sets no cookie.
std::string cookie_of(const Answer& answer) {
  const auto set = answer.header("Set-Cookie");
  return std::string(set.substr(0, set.find(';')));
}

std::string text_at(const Answer& answer, std::string_view pointer) {
  return answer.json().at_pointer({pointer.data(), pointer.size()}).as_string().c_str();
}

// A page of the gateway's origin, signed in by the cookie that an answer set.
struct Page {
  Headers with(Headers more = kOwnPage) const {
    more.emplace_back("Cookie", cookie);
    return more;
  }
  Answer get(const std::string& target, const Headers& more = kOwnPage) { return client.get(target, with(more)); }
  Answer post(const std::string& target, const std::string& body, const Headers& more = kOwnPage) {
    return client.post(target, body, with(more));
  }
  Client client;
  std::string cookie;
};

Page signed_up(const std::string& email = new_email()) {
  Client client(world().system);
  const json::object account{
      {"name", "Ada"}, {"email", email}, {"password", kPassword}, {"organizationName", "Of browsers"}};
  const auto made = client.post("/api/auth/register", json::serialize(account), kOwnPage);
  REQUIRE_EQ(made.status, 201);
  return {Client(world().system), cookie_of(made)};
}

}  // namespace

TEST_CASE("browsers: a page signs up, reads, changes and signs out by its cookie, and other pages can do nothing") {
  const auto email = new_email();
  auto page = signed_up(email);
  REQUIRE(page.cookie.starts_with("__Host-parley=parley_session_"));
  CHECK_EQ(page.get("/api/contacts").status, 200);
  CHECK_EQ(page.get("/api/contacts", {}).status, 200);  // an address that was typed
  CHECK_EQ(page.post("/api/tags", R"({"label":"by a page"})").status, 201);
  const auto login = json::serialize(json::object{{"email", email}, {"password", kPassword}});
  CHECK(cookie_of(page.client.post("/api/auth/login", login, kOwnPage)).starts_with("__Host-parley=parley_session_"));
  CHECK(cookie_of(page.client.post("/api/auth/login", login)).starts_with("__Host-parley=parley_session_"));
  for (const Headers& other : {Headers{{"Sec-Fetch-Site", "cross-site"}}, Headers{{"Sec-Fetch-Site", "same-site"}},
                               Headers{{"Origin", "https://evil.example"}}}) {
    INFO(other.front().second);
    CHECK_EQ(page.get("/api/contacts", other).status, 403);
    CHECK_EQ(page.post("/api/tags", R"({"label":"by another page"})", other).status, 403);
    CHECK_EQ(page.post("/api/auth/logout", "", other).status, 403);
    CHECK_EQ(cookie_of(page.client.post("/api/auth/login", login, other)), "");  // nobody becomes somebody else
  }
  CHECK_EQ(page.post("/api/tags", R"({"label":"by no page"})", {}).status, 403);
  CHECK_EQ(page.get("/api/auth/api-keys/regenerate").status, 401);  // a GET that changes something
  CHECK_EQ(page.get("/api/tags").json().at("paginationMeta").at("total"), 1);

  const auto out = page.post("/api/auth/logout", "");
  CHECK_EQ(out.status, 204);
  CHECK(out.header("Set-Cookie").starts_with("__Host-parley=; Max-Age=0; "));
  const auto ended = page.get("/api/contacts");
  CHECK_EQ(ended.status, 401);
  CHECK_EQ(cookie_of(ended), "");  // who has signed in again meanwhile keeps that
}

TEST_CASE("browsers: who joins is not held up by the cookie of a session that has ended") {
  auto page = signed_up();
  const auto invite = page.post("/api/organization/invites", R"({"email":")" + new_email() + "\"}");
  REQUIRE_EQ(invite.status, 201);
  REQUIRE_EQ(page.post("/api/auth/logout", "").status, 204);
  json::object body{{"token", invite.json().at("token")}};
  CHECK_EQ(page.post("/api/auth/join-organization", json::serialize(body)).status, 400);  // a name, a password
  body["name"] = "Grace";
  body["password"] = kPassword;
  CHECK_EQ(page.post("/api/auth/join-organization", json::serialize(body)).status, 201);
}

TEST_CASE("browsers: another credential beside the cookie counts alone") {
  const auto page = signed_up();
  auto client = Client(world().system);
  const auto organization = client.get("/api/organization", page.with({{"X-API-Key", world().a.owner.api_key}}));
  CHECK_EQ(text_at(organization, "/organizations/0/uniqueId"), world().a.id);
  CHECK_EQ(client.get("/api/contacts", page.with({{"X-API-Key", "wrong"}})).status, 401);
}

TEST_CASE("browsers: who joins without an account is signed in by the cookie, once, and the token stands nowhere") {
  auto page = signed_up();
  const auto invite = page.post("/api/organization/invites", R"({"email":")" + new_email() + "\"}");
  REQUIRE_EQ(invite.status, 201);
  const auto body =
      json::serialize(json::object{{"token", invite.json().at("token")}, {"name", "Grace"}, {"password", kPassword}});
  Headers repeated = kOwnPage;
  repeated.emplace_back("Idempotency-Key", model::new_uuid().text());
  const auto joined = page.client.post("/api/auth/join-organization", body, repeated);
  REQUIRE_EQ(joined.status, 201);
  CHECK(joined.body.find("parley_session_") == joined.body.npos);
  Page grace{Client(world().system), cookie_of(joined)};
  CHECK_EQ(text_at(grace.get("/api/user"), "/user/name"), "Grace");
  const auto again = page.client.post("/api/auth/join-organization", body, repeated);
  CHECK_EQ(again.status, 201);
  CHECK_EQ(again.body, joined.body);
  CHECK_EQ(cookie_of(again), "");
  for (auto* component : world().system.all())
    CHECK(component->log().find(grace.cookie.substr(grace.cookie.find("=") + 1)) == std::string::npos);
}

TEST_CASE("browsers: a link, a file or a stream names the organization in its address") {
  auto page = signed_up();
  const auto first = text_at(page.get("/api/organization"), "/organizations/0/uniqueId");
  const auto other = text_at(page.post("/api/organization", R"({"name":"The other"})"), "/organization/uniqueId");
  Headers there = kOwnPage;
  there.emplace_back("X-Organization-Id", other);
  REQUIRE_EQ(page.post("/api/contacts", R"({"name":"Only there","phone":"+4915112345678"})", there).status, 201);
  const auto file = page.get("/api/contacts/export?organization_id=" + other);
  CHECK_EQ(file.status, 200);
  CHECK(file.body.find("Only there") != file.body.npos);
  CHECK(page.get("/api/contacts/export").body.find("Only there") == std::string::npos);
  CHECK_EQ(page.get("/api/contacts/export?organization_id=" + first, there).status, 400);
  CHECK_EQ(page.get("/api/contacts/export?organization_id=" + world().a.id).status, 403);
  CHECK_EQ(page.get("/api/contacts/export?organization_id=x").status, 400);
  CHECK_EQ(page.get("/api/contacts?organization_id=" + other).status, 400);  // there a page sets the header
  for (const std::string target : {"/api/analytics/primary?", "/api/analytics/campaigns?", "/api/events?wait=0&"}) {
    INFO(target);
    CHECK_EQ(page.get(target + "organization_id=" + other).status, 200);
    CHECK_EQ(page.get(target + "organization_id=" + world().a.id).status, 403);
  }
  const auto nothing = model::new_uuid().text();
  for (const auto& target : {"/api/messages/" + nothing + "/media?", "/api/campaigns/" + nothing + "/recipients?",
                             "/api/analytics/campaign/" + nothing + "?"}) {
    INFO(target);
    CHECK_EQ(page.get(target + "organization_id=" + other).status, 404);
    CHECK_EQ(page.get(target + "organization_id=" + world().a.id).status, 403);
  }
}

TEST_CASE("browsers: what is on offer is told to everybody") {
  const auto answer = Client(world().system).get("/api/options");
  CHECK_EQ(answer.status, 200);
  CHECK_EQ(answer.json().at_pointer("/options/isSignUpOpen"), true);
  CHECK_FALSE(text_at(answer, "/options/channelApplicationId").empty());
  CHECK_EQ(Client(world().system).get("/api/options?a=b").status, 400);
}
