// People at the gateway: signing up, in and out, and what a session may do.
#include <boost/json/serialize.hpp>
#include <chrono>
#include <thread>

#include "tests/e2e/world.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;

namespace {

const std::string kPassword = "correct horse battery";

std::string new_email() { return model::new_uuid().text() + "@sessions.example"; }

std::string text_at(const Answer& answer, std::string_view pointer) {
  const auto json = answer.json();
  return json.at_pointer({pointer.data(), pointer.size()}).as_string().c_str();
}

std::string account(const std::string& email, const std::string& organization = {}) {
  boost::json::object out{{"name", "Ada"}, {"email", email}, {"password", kPassword}};
  if (!organization.empty()) out["organizationName"] = organization;
  return boost::json::serialize(out);
}

std::string login(const std::string& email, const std::string& password = kPassword) {
  return boost::json::serialize(boost::json::object{{"email", email}, {"password", password}});
}

}  // namespace

TEST_CASE("sessions: an organization is run from nothing, by a person who signs up") {
  auto& [system, a, b] = world();
  Client nobody(system);
  const auto email = new_email();
  const auto made = nobody.post("/api/auth/register", account(email, "From nothing"));
  REQUIRE_EQ(made.status, 201);
  Client ada(system, text_at(made, "/session/token"));
  CHECK_EQ(ada.get("/api/contacts").status, 200);
  const auto user = ada.get("/api/user").json();
  CHECK_EQ(user.at("user"), made.json().at("user"));
  CHECK_EQ(user.at("organizations"), made.json().at("organizations"));

  const auto again = nobody.post("/api/auth/login", login(email));
  REQUIRE_EQ(again.status, 200);
  Client elsewhere(system, text_at(again, "/session/token"));
  CHECK_EQ(elsewhere.get("/api/contacts").status, 200);
  CHECK_EQ(ada.post("/api/auth/logout", "").status, 204);
  CHECK_EQ(ada.get("/api/contacts").status, 401);  // by the gateway that saw it, at once
  CHECK_EQ(ada.get("/api/user").status, 401);
  CHECK_EQ(elsewhere.get("/api/contacts").status, 200);

  // What it may do, a key of the same person may too; and the key goes on without the session.
  const auto key = elsewhere.post("/api/auth/api-keys", R"({"name":"for programs"})");
  REQUIRE_EQ(key.status, 201);
  CHECK_EQ(elsewhere.post("/api/auth/logout", "").status, 204);
  CHECK_EQ(Client(system, text_at(key, "/apiKey/key")).get("/api/contacts").status, 200);
  for (auto* component : system.all()) {
    CHECK(component->log().find(kPassword) == std::string::npos);
    CHECK(component->log().find(text_at(again, "/session/token").substr(48, 43)) == std::string::npos);
  }
}

TEST_CASE("sessions: who belongs to no organization can make one, and is in it at once") {
  auto& [system, a, b] = world();
  const auto made = Client(system).post("/api/auth/register", account(new_email()));
  REQUIRE_EQ(made.status, 201);
  Client ada(system, text_at(made, "/session/token"));
  CHECK_EQ(ada.get("/api/contacts").status, 403);
  CHECK_EQ(ada.get("/api/user").status, 200);
  CHECK_EQ(ada.post("/api/organization", R"({"name":"Her own"})").status, 201);
  CHECK_EQ(ada.get("/api/contacts").status, 200);
  CHECK_EQ(ada.get("/api/contacts", {{"X-Organization-Id", a.id}}).status, 403);
}

TEST_CASE("sessions: a wrong password and an unknown address are answered alike, and a credential changes nothing") {
  auto& [system, a, b] = world();
  const auto email = new_email();
  Client nobody(system), owner(system, a.owner.api_key);
  REQUIRE_EQ(nobody.post("/api/auth/register", account(email)).status, 201);
  const Headers same{{"X-Request-Id", "the-same"}};
  const auto wrong = nobody.post("/api/auth/login", login(email, "wrong"), same);
  const auto unknown = nobody.post("/api/auth/login", login(new_email(), "wrong"), same);
  CHECK_EQ(wrong.status, 401);
  CHECK_EQ(wrong.body, unknown.body);
  CHECK_EQ(owner.post("/api/auth/login", login(email)).status, 200);
  CHECK_EQ(Client(system, "nonsense").post("/api/auth/login", login(email)).status, 200);
}

TEST_CASE("sessions: what comes from a client does not pass for an address, an identity or a service") {
  auto& [system, a, b] = world();
  Client owner(system, a.owner.api_key);
  const auto address = [&](const std::string& name) {
    return system.sql("organizations")
        .value("SELECT address FROM audit WHERE organization_id = $1 AND subject = $2", {a.id, name});
  };
  CHECK_EQ(owner.post("/api/auth/api-keys", R"({"name":"not forged"})").status, 201);
  const Headers forged{{"X-Forwarded-For", "203.0.113.1"},
                       {"Forwarded", "for=203.0.113.2"},
                       {"X-Real-IP", "203.0.113.3"},
                       {"Parley-Client-Address", "203.0.113.4"},
                       {"Parley-Identity", "forged"}};
  CHECK_EQ(owner.post("/api/auth/api-keys", R"({"name":"forged"})", forged).status, 201);
  if (support::AttachedSystem::given())
    CHECK_NE(address("not forged"), "");
  else
    CHECK_EQ(address("not forged"), "127.0.0.1");
  CHECK_EQ(address("forged"), address("not forged"));
}

TEST_CASE("sessions: public routes are asked for through the gateway, not from inside") {
  auto& [system, a, b] = world();
  for (const std::string path : {"/api/auth/register", "/api/auth/login", "/api/auth/logout", "/api/user"}) {
    Wire wire(system.organizations().port());
    wire.send(support::request_text("POST", path, {{"Content-Type", "application/json"}}, account(new_email())));
    CHECK_EQ(wire.read().value().status, 401);
  }
}

TEST_CASE("sessions: a changed password ends the other sessions within moments") {
  auto& [system, a, b] = world();
  const auto email = new_email();
  Client nobody(system);
  const auto made = nobody.post("/api/auth/register", account(email, "Passwords"));
  Client here(system, text_at(made, "/session/token"));
  Client there(system, text_at(nobody.post("/api/auth/login", login(email)), "/session/token"));
  CHECK_EQ(there.get("/api/contacts").status, 200);
  CHECK_EQ(here.post("/api/user", R"({"password":"another password","oldPassword":"wrong"})").status, 400);
  CHECK_EQ(here.post("/api/user", R"({"password":"another password","oldPassword":")" + kPassword + "\"}").status, 200);
  const auto limit = std::chrono::steady_clock::now() + 5s;
  while (there.get("/api/contacts").status == 200) {
    REQUIRE(std::chrono::steady_clock::now() < limit);
    std::this_thread::sleep_for(10ms);
  }
  CHECK_EQ(here.get("/api/contacts").status, 200);
  CHECK_EQ(nobody.post("/api/auth/login", login(email)).status, 401);
  CHECK_EQ(nobody.post("/api/auth/login", login(email, "another password")).status, 200);
}

TEST_CASE("sessions: one of several is ended by who sees it in the list, and is refused within moments") {
  auto& [system, a, b] = world();
  const auto email = new_email();
  Client nobody(system);
  Client here(system, text_at(nobody.post("/api/auth/register", account(email, "Sessions")), "/session/token"));
  const auto other = nobody.post("/api/auth/login", login(email), {{"User-Agent", "A browser of hers"}});
  Client there(system, text_at(other, "/session/token"));
  CHECK_EQ(there.get("/api/contacts").status, 200);

  const auto list = here.get("/api/auth/sessions");
  REQUIRE_EQ(list.status, 200);
  REQUIRE_EQ(list.json().at("sessions").as_array().size(), 2);
  CHECK_EQ(text_at(list, "/sessions/0/userAgent"), "A browser of hers");
  if (!support::AttachedSystem::given()) CHECK_EQ(text_at(list, "/sessions/0/address"), "127.0.0.1");
  CHECK_FALSE(list.json().at_pointer("/sessions/0/isCurrent").as_bool());
  CHECK(list.json().at_pointer("/sessions/1/isCurrent").as_bool());
  CHECK_EQ(here("DELETE", "/api/auth/sessions/" + text_at(list, "/sessions/0/uniqueId")).status, 204);
  const auto limit = std::chrono::steady_clock::now() + 5s;
  while (there.get("/api/contacts").status == 200) {
    REQUIRE(std::chrono::steady_clock::now() < limit);
    std::this_thread::sleep_for(10ms);
  }
  CHECK_EQ(here.get("/api/contacts").status, 200);
  CHECK_EQ(here("DELETE", "/api/auth/sessions/" + text_at(list, "/sessions/1/uniqueId")).status, 204);
  CHECK_EQ(here.get("/api/contacts").status, 401);  // by the gateway that saw it, at once
}

TEST_CASE("sessions: sign-up can be closed") {
  System closed({.replicas = 1, .environment = {{"PARLEY_SIGN_UP", "closed"}}});
  Client nobody(closed);
  CHECK_EQ(nobody.post("/api/auth/register", account(new_email())).status, 403);
  CHECK_EQ(nobody.post("/api/auth/register", account("no address")).status, 400);
  CHECK_EQ(closed.sql("organizations").number("SELECT count(*) FROM person"), 0);
}
