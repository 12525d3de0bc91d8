// Rights that end: on every replica of the gateway, soon, whether Redis is there or not, and also while the gateway
// cannot hear of it.
#include <boost/json/serialize.hpp>
#include <chrono>
#include <functional>
#include <thread>

#include "tests/e2e/world.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;

namespace {

// By then at the latest. What is promised is one second; a machine that is busy with other things is given more.
constexpr auto kLimit = 5s;

struct Pair {
  Pair() { system.need_replicas(2); }
  System system{{.replicas = 2, .environment = {}}};
  Organization organization = fill(system, "Revocations", 3);
  Client owner{system, organization.owner.api_key};
};
Pair& pair() {
  static Pair the_pair;
  return the_pair;
}

std::string text_at(const Answer& answer, std::string_view pointer) {
  const auto json = answer.json();
  return json.at_pointer({pointer.data(), pointer.size()}).as_string().c_str();
}

identity::PermissionSet may_read() {
  identity::PermissionSet out;
  out.add(identity::Permission::get_contact);
  return out;
}

Caller new_member(const std::string& level = "Member") {
  static int count = 0;
  auto& [system, organization, owner] = pair();
  return system.add_member(organization.id, "revoked" + std::to_string(++count) + "@example.com",
                           level == "Member" ? may_read().mask() : 0, level);
}

unsigned status_of(const std::string& key, std::size_t gateway) {
  return Client(pair().system, key, gateway).get("/api/contacts").status;
}

// The key works on both gateways, `end` ends it, and soon it does not work on either.
void check_ends(const std::string& key, unsigned status, const std::function<void()>& end) {
  for (std::size_t gateway : {0, 1})
    for (int times = 0; times < 3; ++times) REQUIRE_EQ(status_of(key, gateway), 200);
  end();
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t gateway : {0, 1}) {
    while (status_of(key, gateway) == 200) {
      if (std::chrono::steady_clock::now() - begin > kLimit) FAIL("gateway " << gateway << " lets it in for too long");
      std::this_thread::sleep_for(5ms);
    }
    CHECK_EQ(status_of(key, gateway), status);
  }
  MESSAGE("refused by both after " << std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()
                                   << " s");
  for (std::size_t gateway : {0, 1})
    for (int times = 0; times < 5; ++times) CHECK_EQ(status_of(key, gateway), status);
}

void check_all_ways() {
  auto& [system, organization, owner] = pair();
  const auto roles_of = [&, &owner = owner](const Caller& member) {
    return owner.get("/api/organization/members/" + member.member_id).json().at("member").at("roles").as_array();
  };
  INFO("a key that its holder deletes");
  const auto one = new_member("Admin");
  Client self(system, one.api_key);
  const auto named = self.post("/api/auth/api-keys", R"({"name":"named"})");
  check_ends(text_at(named, "/apiKey/key"), 401,
             [&] { CHECK_EQ(self("DELETE", "/api/auth/api-keys/" + text_at(named, "/apiKey/uniqueId")).status, 204); });
  INFO("a key that is replaced");
  check_ends(one.api_key, 401, [&] { CHECK_EQ(self.get("/api/auth/api-keys/regenerate").status, 200); });
  INFO("an Admin who is one no more");
  const auto admin = new_member("Admin");
  check_ends(admin.api_key, 403, [&, &owner = owner] {
    CHECK_EQ(owner.post("/api/organization/members/" + admin.member_id, R"({"accessLevel":"Member"})").status, 200);
  });
  INFO("a member whose role is taken");
  const auto without = new_member();
  check_ends(without.api_key, 403, [&, &owner = owner] {
    CHECK_EQ(owner.post("/api/organization/members/" + without.member_id, R"({"roles":[]})").status, 200);
  });
  INFO("a role that is changed");
  const auto changed = new_member();
  const std::string changed_role = roles_of(changed)[0].at("uniqueId").as_string().c_str();
  check_ends(changed.api_key, 403, [&, &owner = owner] {
    CHECK_EQ(owner.post("/api/rbac/roles/" + changed_role, R"({"permissions":["Get:List"]})").status, 200);
  });
  INFO("a role that is deleted");
  const auto deleted = new_member();
  const std::string deleted_role = roles_of(deleted)[0].at("uniqueId").as_string().c_str();
  check_ends(deleted.api_key, 403,
             [&, &owner = owner] { CHECK_EQ(owner("DELETE", "/api/rbac/roles/" + deleted_role).status, 204); });
  INFO("a member who is removed");
  const auto removed = new_member();
  check_ends(removed.api_key, 401, [&, &owner = owner] {
    CHECK_EQ(owner("DELETE", "/api/organization/members/" + removed.member_id).status, 204);
  });
  INFO("a session that is ended");
  const auto email = model::new_uuid().text() + "@revocations.example";
  const auto session = Client(system).post(
      "/api/auth/register",
      boost::json::serialize(boost::json::object{
          {"name", "Ada"}, {"email", email}, {"password", "correct horse"}, {"organizationName", "Sessions"}}));
  const auto token = text_at(session, "/session/token");
  check_ends(token, 401, [&] { CHECK_EQ(Client(system, token).post("/api/auth/logout", "").status, 204); });
}

}  // namespace

TEST_CASE("revocations: each kind of them acts on both gateways, soon") { check_all_ways(); }

TEST_CASE("revocations: they act while Redis is down, too") {
  pair().system.redis().stop();
  check_all_ways();
  pair().system.redis().start();
}

TEST_CASE("revocations: they act while one replica of organizations is gone, whichever did the change") {
  auto& [system, organization, owner] = pair();
  for (std::size_t gone : {0, 1}) {
    const auto member = new_member();
    owner.may_fail = true;
    system.organizations(gone).kill();
    // A gateway may find out with its next request: then it is answered 503 once.
    for (std::size_t gateway : {0, 1}) {
      Client client(system, member.api_key, gateway);
      client.may_fail = true;
      const auto limit = std::chrono::steady_clock::now() + 20s;
      while (client.get("/api/contacts").status != 200) REQUIRE(std::chrono::steady_clock::now() < limit);
    }
    check_ends(member.api_key, 401, [&, &owner = owner] {
      CHECK_EQ(owner("DELETE", "/api/organization/members/" + member.member_id).status, 204);
    });
    system.organizations(gone).start();
    owner.may_fail = false;
  }
}

TEST_CASE("revocations: an operator ends a key, a member's keys and an organization's, which the audit has") {
  auto& [system, organization, owner] = pair();
  const auto& environment = system.organizations().environment;
  const auto key_of = [&](const std::string& member) {
    return system.sql("organizations")
        .value("SELECT id FROM credential WHERE member_id = $1 AND revoked_at IS NULL", {member});
  };
  const auto audited = [&](const std::string& id) {
    return system.sql("organizations")
        .number("SELECT count(*) FROM audit WHERE action = 'ApiKeyDeleted' AND member_id IS NULL AND subject_id = '" +
                id + "'");
  };
  const auto one = new_member(), another = new_member();
  const auto id = key_of(one.member_id), second = key_of(another.member_id);
  check_ends(one.api_key, 401, [&] {
    const auto said = system.run("organizations", {"revoke-key", "--id", id}, environment);
    CHECK(said.find(one.member_id) != said.npos);
  });
  CHECK_EQ(audited(id), 1);
  CHECK_THROWS(system.run("organizations", {"revoke-key", "--id", id}, environment));  // it was
  CHECK_EQ(audited(id), 1);
  REQUIRE_EQ(status_of(another.api_key, 0), 200);
  check_ends(another.api_key, 401, [&] {
    system.run("organizations", {"revoke-keys", "--organization", organization.id, "--member", another.member_id},
               environment);
  });
  CHECK_EQ(audited(second), 1);

  const auto other = system.create_owner("leaked@example.com", "Leaked");
  const auto first_key = key_of(other.member_id);
  check_ends(other.api_key, 401, [&] {
    system.run("organizations", {"revoke-keys", "--organization", other.organization_id}, environment);
  });
  CHECK_EQ(audited(first_key), 1);
  REQUIRE_EQ(status_of(organization.owner.api_key, 0), 200);
}

TEST_CASE("revocations: who has no key left that works gets another by a command, and keeps it") {
  auto& [system, organization, owner] = pair();
  const auto& environment = system.organizations().environment;
  const auto lost = system.create_owner("regenerated@example.com", "Regenerated");
  const auto create_key = [&](const std::string& member) {
    const auto said = system.run(
        "organizations",
        {"create-key", "--organization", lost.organization_id, "--member", member, "--name", "another"}, environment);
    return std::string(boost::json::parse(said).at("apiKey").as_string());
  };
  check_ends(lost.api_key, 401,
             [&] { REQUIRE_EQ(Client(system, lost.api_key).get("/api/auth/api-keys/regenerate").status, 200); });
  const auto another = create_key(lost.member_id);
  CHECK_EQ(status_of(another, 0), 200);
  REQUIRE_EQ(Client(system, another).get("/api/auth/api-keys/regenerate").status, 200);  // of the default key
  CHECK_EQ(Client(system, another).get("/api/user").json().at("user").at("email"), "regenerated@example.com");
  CHECK_EQ(system.sql("organizations")
               .number("SELECT count(*) FROM audit WHERE organization_id = $1 AND action = 'ApiKeyCreated' AND "
                       "subject = 'another' AND member_id IS NULL",
                       {lost.organization_id}),
           1);
  CHECK_THROWS(create_key(organization.owner.member_id));  // of another organization
}

TEST_CASE("revocations: while organizations cannot be reached nobody is let in for long on what was known") {
  auto& [system, organization, owner] = pair();
  const auto member = new_member();
  for (std::size_t gateway : {0, 1}) REQUIRE_EQ(status_of(member.api_key, gateway), 200);
  for (std::size_t i : {0, 1}) system.organizations(i).pause();
  // Ended by an organizations service that these gateways do not hear.
  system.sql("organizations").rows("UPDATE credential SET revoked_at = now() WHERE member_id = $1", {member.member_id});
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t gateway : {0, 1}) {
    Client client(system, member.api_key, gateway);
    client.may_fail = true;
    for (;;) {
      const auto status = client.get("/api/contacts").status;
      if (status != 200) {
        CHECK_EQ(status, 503);
        break;
      }
      if (std::chrono::steady_clock::now() - begin > 15s) FAIL("gateway " << gateway << " lets it in for too long");
      std::this_thread::sleep_for(20ms);
    }
  }
  for (std::size_t i : {0, 1}) system.organizations(i).resume();
  for (std::size_t gateway : {0, 1}) {
    Client client(system, member.api_key, gateway), of_owner(system, organization.owner.api_key, gateway);
    client.may_fail = of_owner.may_fail = true;
    const auto limit = std::chrono::steady_clock::now() + 30s;
    while (client.get("/api/contacts").status != 401) REQUIRE(std::chrono::steady_clock::now() < limit);
    while (of_owner.get("/api/contacts").status != 200) REQUIRE(std::chrono::steady_clock::now() < limit);
  }
}

TEST_CASE("revocations: what ends while organizations is away is ended when it is back") {
  auto& [system, organization, owner] = pair();
  const auto member = new_member();
  for (std::size_t gateway : {0, 1}) REQUIRE_EQ(status_of(member.api_key, gateway), 200);
  for (std::size_t i : {0, 1}) system.organizations(i).kill();
  // As it would be by another replica, that the gateways never heard of.
  system.sql("organizations")
      .rows("UPDATE credential SET revoked_at = now() WHERE member_id = '" + member.member_id +
            "'; INSERT INTO outbox (changes) VALUES ('[{\"type\":\"access.changed\",\"organizationId\":\"" +
            organization.id + "\",\"memberId\":\"" + member.member_id +
            "\",\"personId\":null,\"credentialId\":null}]')");
  for (std::size_t i : {0, 1}) system.organizations(i).start();
  const auto limit = std::chrono::steady_clock::now() + 15s;
  for (std::size_t gateway : {0, 1}) {
    Client client(system, member.api_key, gateway);
    client.may_fail = true;
    while (client.get("/api/contacts").status != 401) REQUIRE(std::chrono::steady_clock::now() < limit);
  }
}

TEST_CASE("revocations: a caller is asked about seldom") {
  auto& [system, organization, owner] = pair();
  REQUIRE_EQ(owner.get("/api/contacts").status, 200);
  const auto asked = [&, &system = system] {
    return system.organizations(0).metric("http_requests_total", "/internal/credentials/verify") +
           system.organizations(1).metric("http_requests_total", "/internal/credentials/verify");
  };
  const auto before = asked();
  for (int i = 0; i < 300; ++i) CHECK_EQ(owner.get("/api/contacts").status, 200);
  CHECK_LE(asked() - before, 2);
}
