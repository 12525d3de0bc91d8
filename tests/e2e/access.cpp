// Credentials, and what may be granted. What each operation needs is in permissions.cpp.
#include <boost/json/serialize.hpp>
#include <chrono>
#include <thread>

#include "tests/e2e/world.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;

namespace {

// One answer, over a connection of its own, to exactly these fields.
Answer ask(System& system, const Headers& headers, const std::string& target = "/api/contacts") {
  Wire wire(system.gateway().port());
  wire.send(support::request_text("GET", target, headers));
  auto answer = wire.read();
  REQUIRE(answer);
  check_documented(system, "GET", target, *answer);
  return std::move(*answer);
}

std::string altered(std::string key, std::size_t at) {
  key[at] = key[at] == 'a' ? 'b' : 'a';
  return key;
}

}  // namespace

TEST_CASE("credentials: whatever is wrong with one is answered with the same 401, octet for octet") {
  auto& [system, a, b] = world();
  const auto& key = a.owner.api_key;
  const auto revoked = system.add_member(a.id, "revoked@example.com", identity::PermissionSet::all().mask()).api_key;
  system.sql("organizations")
      .rows(
          "UPDATE credential SET revoked_at = now() WHERE organization_id = $1 AND member_id IN (SELECT m.id FROM "
          "member m JOIN person p ON p.id = m.person_id WHERE p.email = 'revoked@example.com')",
          {a.id});
  const auto expired = system.add_member(a.id, "expired@example.com", identity::PermissionSet::all().mask()).api_key;
  system.sql("organizations")
      .rows(
          "UPDATE credential SET expires_at = now() - interval '1 second' WHERE organization_id = $1 AND member_id IN "
          "(SELECT m.id FROM member m JOIN person p ON p.id = m.person_id WHERE p.email = 'expired@example.com')",
          {a.id});
  // A well-formed key whose secret is not this one's: the other's, under this one's id.
  const auto foreign = identity::ApiKey::parse(b.owner.api_key), own = identity::ApiKey::parse(key);
  identity::ApiKey mixed = *own;
  mixed.secret = foreign->secret;
  const auto nobody = identity::ApiKey::create(model::new_uuid(), model::new_uuid());
  const auto bearer = [](const std::string& text) { return Headers{{"Authorization", "Bearer " + text}}; };
  const std::vector<Headers> wrong{{},
                                   bearer(""),
                                   bearer("x"),
                                   bearer(key.substr(0, key.size() - 1)),
                                   bearer(key + "0"),
                                   bearer(altered(key, 10)),
                                   bearer(altered(key, 80)),
                                   bearer(mixed.text()),
                                   bearer(nobody.text()),
                                   bearer(revoked),
                                   bearer(expired),
                                   bearer(std::string(10'000, 'k')),
                                   bearer(key + std::string(7'000, ' ') + "x"),
                                   bearer(key + ", Bearer " + key),
                                   {{"Authorization", key}},
                                   {{"Authorization", "Basic " + key}},
                                   {{"Authorization", "Bearer\t" + key}},
                                   {{"Authorization", "bearer"}},
                                   {{"Authorization", "Bearer " + key}, {"Authorization", "Bearer x"}},
                                   {{"Authorization", "Bearer " + key}, {"X-API-Key", "x"}},
                                   {{"Authorization", "Basic " + key}, {"X-API-Key", key}},
                                   {{"Authorization", "Bearer " + key}, {"X-API-Key", ""}},
                                   {{"X-API-Key", "x"}},
                                   {{"x-access-token", "x"}},
                                   {{"X-API-Key", key}, {"x-access-token", b.owner.api_key}},
                                   {{"X-API-Key", "x"}, {"x-access-token", "x"}},
                                   {{"Cookie", "token=" + key}}};
  std::string same;
  for (auto headers : wrong) {
    headers.emplace_back("X-Request-Id", "the-same");
    const auto answer = ask(system, headers);
    INFO(boost::json::serialize(boost::json::value(headers.empty() ? "" : headers[0].second.substr(0, 150))));
    CHECK_EQ(answer.status, 401);
    CHECK(answer.header("WWW-Authenticate").starts_with("Bearer"));
    if (same.empty()) same = answer.body;
    CHECK_EQ(answer.body, same);
  }
  CHECK_EQ(ask(system, {}, "/api/contacts?api_key=" + key).status, 401);
  for (const auto& right : {Headers{{"Authorization", "Bearer " + key}}, Headers{{"authorization", "bearer " + key}},
                            Headers{{"X-API-Key", key}}, Headers{{"x-access-token", key}},
                            Headers{{"Authorization", "Bearer " + key}, {"Authorization", "Bearer " + key}},
                            Headers{{"X-API-Key", key}, {"x-access-token", key}},
                            Headers{{"Authorization", "Bearer " + key}, {"X-API-Key", key}, {"x-access-token", key}}})
    CHECK_EQ(ask(system, right).status, 200);
}

TEST_CASE("credentials: a 401 comes before anything else is told, for every operation") {
  auto& [system, a, b] = world();
  Client nobody(system);
  for (const auto& operation : contract_of(system).operations()) {
    if (!operation.needs_credential) continue;
    auto target = operation.path;
    for (auto at = target.find('{'); at != target.npos; at = target.find('{'))
      target.replace(at, target.find('}') - at + 1, a.contacts[0]);
    const auto answer = nobody(operation.method, target, operation.method == "POST" ? "{nonsense" : "");
    INFO(operation.method << " " << target);
    CHECK_EQ(answer.status, 401);
  }
}

TEST_CASE("credentials: regenerate gives a key that works and ends the one it replaces, everywhere") {
  auto& [system, a, b] = world();
  const auto member = system.add_member(a.id, "regenerates@example.com", identity::PermissionSet::all().mask());
  auto key = member.api_key;
  // Known to the gateway under another name too, which the answer's way back does not tell it of.
  const Headers elsewhere{{"X-API-Key", key}, {"X-Organization-Id", a.id}};
  CHECK_EQ(ask(system, elsewhere).status, 200);
  for (int times = 0; times < 5; ++times) {
    Client client(system, key);
    CHECK_EQ(client.get("/api/contacts").status, 200);
    const auto answer = client.get("/api/auth/api-keys/regenerate");
    REQUIRE_EQ(answer.status, 200);
    CHECK(answer.header("Cache-Control").find("no-store") != std::string::npos);
    CHECK_FALSE(answer.has("ETag"));
    const std::string fresh = answer.json().at("apiKey").at("key").as_string().c_str();
    CHECK_NE(fresh, key);
    CHECK_EQ(client.get("/api/contacts").status, 401);  // by the gateway that saw it, at once
    CHECK_EQ(client.get("/api/auth/api-keys/regenerate").status, 401);
    CHECK_EQ(Client(system, fresh).get("/api/contacts").status, 200);
    key = fresh;
  }
  const auto begin = std::chrono::steady_clock::now();
  while (ask(system, elsewhere).status == 200) {
    if (std::chrono::steady_clock::now() - begin > 30s) FAIL("a replaced key goes on working");
    std::this_thread::sleep_for(20ms);
  }
  MESSAGE("under another name refused after "
          << std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() << " s");
  for (int i = 0; i < 20; ++i) CHECK_EQ(ask(system, elsewhere).status, 401);
  CHECK_EQ(
      system.sql("organizations")
          .number("SELECT count(*) FROM credential WHERE member_id = $1 AND revoked_at IS NULL", {member.member_id}),
      1);
  CHECK_EQ(system.sql("organizations")
               .number("SELECT count(*) FROM credential c WHERE strpos(c::text, $1) > 0",
                       {identity::ApiKey::parse(key)->secret}),
           0);
  for (auto* component : system.all())
    CHECK(component->log().find(identity::ApiKey::parse(key)->secret) == std::string::npos);
}

TEST_CASE("credentials: many who regenerate at once leave one key that works") {
  auto& [system, a, b] = world();
  const auto member = system.add_member(a.id, "crowd@example.com", identity::PermissionSet::all().mask());
  Client(system, member.api_key).get("/api/contacts");
  std::vector<std::thread> crowd;
  std::vector<Answer> answers(8);
  for (auto& answer : answers)
    crowd.emplace_back([&system, &answer, key = member.api_key] {
      Wire wire(system.gateway().port());
      wire.send(support::request_text("GET", "/api/auth/api-keys/regenerate", {{"Authorization", "Bearer " + key}}));
      answer = wire.read().value();
    });
  for (auto& each : crowd) each.join();
  int working = 0;
  for (const auto& answer : answers) {
    CHECK((answer.status == 200 || answer.status == 401));
    if (answer.status != 200) continue;
    const std::string key = answer.json().at("apiKey").at("key").as_string().c_str();
    working += ask(system, {{"X-API-Key", key}}).status == 200;
  }
  CHECK_EQ(working, 1);
  CHECK_EQ(
      system.sql("organizations")
          .number("SELECT count(*) FROM credential WHERE member_id = $1 AND revoked_at IS NULL", {member.member_id}),
      1);
}

TEST_CASE("permissions: a member without any role may list their organizations and nothing else") {
  auto& [system, a, b] = world();
  Client client(system, member_with(system, a.id, identity::PermissionSet{}).api_key);
  CHECK_EQ(client.get("/api/organization").status, 200);
  CHECK_EQ(client.get("/api/contacts").status, 403);
  CHECK_EQ(client.get("/api/auth/api-keys/regenerate").status, 403);
}

TEST_CASE("permissions: nobody grants what they lack") {
  auto& [system, a, b] = world();
  identity::PermissionSet own;
  own.add(identity::Permission::create_organization_role);
  own.add(identity::Permission::get_contact);
  Client client(system, member_with(system, a.id, own).api_key);
  const auto refused =
      client.post("/api/rbac/roles", R"({"name":"Climber","permissions":["Get:Contact","Delete:Organization"]})");
  CHECK_EQ(refused.status, 403);
  CHECK(refused.body.find("Delete:Organization") != std::string::npos);
  CHECK(refused.body.find("Get:Contact") == std::string::npos);
  CHECK_EQ(client.post("/api/rbac/roles", R"({"name":"As I am","permissions":["Get:Contact"]})").status, 201);
}
