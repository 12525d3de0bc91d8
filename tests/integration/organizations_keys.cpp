// API keys: several named ones a member, beside the default one that regenerate replaces.
#include "tests/integration/organizations_world.hpp"

using namespace parley;
using namespace parley::organizations_tests;

namespace {

constexpr auto kKeys = "/api/auth/api-keys";
constexpr auto kRegenerate = "/api/auth/api-keys/regenerate";

Answer make(World& world, const Caller& caller, const std::string& name) {
  return world.post(caller, kKeys, R"({"name":")" + name + "\"}");
}

std::string path_of(const std::string& id) { return std::string(kKeys) + "/" + id; }

std::string names_of(const Answer& answer) {
  std::string out;
  for (const auto& key : answer.at("/apiKeys").as_array())
    out.append(out.empty() ? "" : ",").append(key.at("name").as_string());
  return out;
}

std::string audit_of(const Caller& caller) {
  return World::sql(
      "SELECT string_agg(action || ' ' || subject, ',' ORDER BY id) FROM audit WHERE organization_id = '" +
      caller.organization.text() + "' AND action LIKE 'ApiKey%'");
}

}  // namespace

TEST_CASE("A member makes keys that act as that member, and sees them without their secrets") {
  World world;
  const auto owner = world.new_owner();
  const auto made = world.post(owner, kKeys, R"({"name":"Nightly","expiresAt":"2090-01-01T00:00:00Z"})");
  REQUIRE(made.status == 201);
  const auto id = made.text_at("/apiKey/uniqueId");
  CHECK(made.has_header("Location: /api/auth/api-keys/" + id));
  CHECK(made.has_header("Cache-Control: no-store"));
  CHECK(made.text_at("/apiKey/expiresAt") == "2090-01-01T00:00:00.000Z");
  const auto key = made.text_at("/apiKey/key");
  const auto verdict = world.verify(key);
  REQUIRE(verdict.status == 200);
  CHECK(verdict.text_at("/memberId") == owner.member.text());
  CHECK(verdict.text_at("/holderId") == owner.member.text());
  CHECK(verdict.at("/goodForMs").as_int64() > 0);
  CHECK(world.verify(owner.key).at("/goodForMs").is_null());
  world.until([&] { return !world.get(owner, path_of(id)).at("/apiKey/lastUsedAt").is_null(); });

  const auto listed = world.get(owner, kKeys);
  CHECK(names_of(listed) == "default,Nightly");
  CHECK(listed.text.find(identity::ApiKey::parse(key)->secret) == listed.text.npos);
  CHECK(key.starts_with(listed.text_at("/apiKeys/1/prefix")));
  CHECK(listed.at("/apiKeys/0/isDefault").as_bool());
  CHECK_FALSE(listed.at("/apiKeys/1/isDefault").as_bool());
  CHECK(boost::json::serialize(listed.at("/paginationMeta")) ==
        R"({"page":1,"per_page":20,"total":2,"nextCursor":null})");
  CHECK(boost::json::serialize(world.get(owner, path_of(id)).at("/apiKey")) ==
        boost::json::serialize(listed.at("/apiKeys/1")));
  CHECK(audit_of(owner) == "ApiKeyCreated Nightly");
}

TEST_CASE("Keys are listed in order, searched, and paged through") {
  World world;
  const auto owner = world.new_owner();
  for (const char* name : {"beta", "Alpha", "gamma", "alpha"}) make(world, owner, name);
  CHECK(names_of(world.get(owner, "/api/auth/api-keys?order=desc")) == "alpha,gamma,Alpha,beta,default");
  CHECK(names_of(world.get(owner, "/api/auth/api-keys?sort_by=name")) == "Alpha,alpha,beta,default,gamma");
  const auto found = world.get(owner, "/api/auth/api-keys?search=ALPH");
  CHECK(names_of(found) == "Alpha,alpha");
  CHECK(found.at("/paginationMeta/total").as_int64() == 2);
  for (const std::string order : {"", "&order=desc", "&sort_by=name", "&sort_by=name&order=desc"}) {
    std::string walked, target = "/api/auth/api-keys?per_page=2" + order;
    for (int pages = 0; !target.empty() && pages < 9; ++pages) {
      const auto page = world.get(owner, target);
      REQUIRE(page.status == 200);
      walked += (walked.empty() || names_of(page).empty() ? "" : ",") + names_of(page);
      const auto at = page.head.find("Link: <");
      target = at == page.head.npos ? "" : page.head.substr(at + 7, page.head.find('>', at) - at - 7);
    }
    CHECK(walked == names_of(world.get(owner, "/api/auth/api-keys?per_page=100" + order)));
  }
  CHECK(world.get(owner, "/api/auth/api-keys?sort_by=key").status == 400);
  CHECK(world.get(owner, "/api/auth/api-keys?cursor=x").status == 400);
}

TEST_CASE("A key that was deleted or has expired is refused") {
  World world;
  const auto owner = world.new_owner();
  const auto made = make(world, owner, "Doomed");
  const auto key = made.text_at("/apiKey/key"), id = made.text_at("/apiKey/uniqueId");
  CHECK(world.verify(key).status == 200);
  CHECK(world.del(owner, path_of(id)).status == 204);
  CHECK(world.verify(key).status == 401);
  CHECK(world.get(owner, path_of(id)).status == 404);
  CHECK(world.del(owner, path_of(id)).status == 404);
  CHECK(names_of(world.get(owner, kKeys)) == "default");
  CHECK(audit_of(owner) == "ApiKeyCreated Doomed,ApiKeyDeleted Doomed");
  CHECK(World::sql("SELECT count(*) FROM outbox, jsonb_array_elements(changes) c WHERE c->>'type' = 'access.changed' "
                   "AND c->>'credentialId' = '" +
                   id + "'") == "1");

  const auto expired = make(world, owner, "Old").text_at("/apiKey/key");
  World::sql("UPDATE credential SET expires_at = now() WHERE id = '" +
             identity::ApiKey::parse(expired)->credential_id.text() + "'");
  CHECK(world.verify(expired).status == 401);
  CHECK(names_of(world.get(owner, kKeys)) == "default,Old");
  CHECK(world.del(owner, path_of("no-id")).status == 404);
}

TEST_CASE("Who is no member any more has a key that has ended, or a session that goes on") {
  World world;
  const auto owner = world.new_owner();
  const auto member = world.new_member(owner, model::AccessLevel::Admin);
  const auto session = World::signed_in(member);
  CHECK(make(world, member, "Before").status == 201);
  REQUIRE(world.del(owner, "/api/organization/members/" + member.member.text()).status == 204);
  CHECK(make(world, member, "After").status == 401);
  CHECK(world.get(member, kRegenerate).status == 401);
  CHECK(make(world, session, "After").status == 403);
  CHECK(world.get(session, kRegenerate).status == 403);
}

TEST_CASE("Regenerate replaces the default key alone, and is written down") {
  World world;
  const auto owner = world.new_owner();
  const auto named = make(world, World::signed_in(owner), "Named").text_at("/apiKey/key");
  const auto fresh = world.get(owner, kRegenerate);
  REQUIRE(fresh.status == 200);
  CHECK(world.verify(owner.key).status == 401);
  CHECK(world.verify(named).status == 200);
  CHECK(world.verify(fresh.text_at("/apiKey/key")).status == 200);
  CHECK(audit_of(owner) == "ApiKeyCreated Named,ApiKeyRegenerated default");
  CHECK(World::sql("SELECT count(*) FROM outbox, jsonb_array_elements(changes) c WHERE c->>'memberId' = '" +
                   owner.member.text() + "'") == "1");
}

TEST_CASE("Another member's keys are not there, but for those who may change members") {
  World world;
  const auto owner = world.new_owner();
  const auto role = R"({"name":"Keeps keys","permissions":["Get:ApiKey","Regenerate:ApiKey"]})";
  REQUIRE(world.post(owner, "/api/rbac/roles", role).status == 201);
  const auto member = world.new_member(owner, model::AccessLevel::Member, {"Keeps keys"});
  const auto keys_of = [](const Caller& whose) { return "/api/auth/api-keys?member_id=" + whose.member.text(); };
  const auto one = make(world, member, "Theirs").text_at("/apiKey/uniqueId");
  const auto colleague = world.new_member(owner, model::AccessLevel::Member, {"Keeps keys"});
  CHECK(world.get(colleague, path_of(one)).status == 404);
  CHECK(world.del(colleague, path_of(one)).status == 404);
  const auto refused = world.get(colleague, keys_of(member));
  CHECK(refused.status == 403);
  CHECK(refused.text.find("Update:OrganizationMember") != refused.text.npos);
  CHECK(world.get(colleague, keys_of(colleague)).status == 200);

  CHECK(names_of(world.get(owner, keys_of(member))) == "default,Theirs");
  CHECK(world.get(owner, path_of(one)).status == 200);
  CHECK(world.del(owner, path_of(one)).status == 204);
  // Who is above them is out of reach.
  const auto admin = world.new_member(owner, model::AccessLevel::Admin);
  const auto of_owner = world.get(owner, kKeys).text_at("/apiKeys/0/uniqueId");
  CHECK(world.del(admin, path_of(of_owner)).status == 403);
  CHECK(world.verify(owner.key).status == 200);
  // And another organization's are nowhere.
  const auto stranger = world.new_owner();
  CHECK(world.get(stranger, path_of(of_owner)).status == 404);
  CHECK(world.del(stranger, path_of(of_owner)).status == 404);
  CHECK(world.get(stranger, keys_of(owner)).at("/apiKeys").as_array().empty());
}

TEST_CASE("What is wrong with a key to be made is said of its field, and a member has so many and no more") {
  World world;
  const auto owner = world.new_owner();
  const auto pointer = [&](const std::string& body) {
    return world.post(owner, kKeys, body).text_at("/errors/0/pointer");
  };
  CHECK(pointer("{}") == "/name");
  CHECK(pointer(R"({"name":" "})") == "/name");
  CHECK(pointer(R"({"name":"n","expiresAt":"2020-01-01T00:00:00Z"})") == "/expiresAt");
  CHECK(pointer(R"({"name":"n","expiresAt":"soon"})") == "/expiresAt");
  World::sql("INSERT INTO credential (organization_id, id, member_id, name, secret_hash) SELECT '" +
             owner.organization.text() + "', gen_random_uuid(), '" + owner.member.text() + "', 'many', '\\x" +
             std::string(64, '0') + "' FROM generate_series(1, 97)");
  std::vector<awaitable<Answer>> works;
  for (int i = 0; i < 6; ++i) works.push_back(world.ask(owner, http::Method::post, kKeys, R"({"name":"at once"})"));
  int made = 0;
  for (const auto& answer : world.run_all(std::move(works))) {
    CHECK((answer.status == 201 || answer.status == 409));
    made += answer.status == 201;
  }
  CHECK(made == 2);  // with the default one
}

TEST_CASE("A key is made once however often it is asked for, and shown once") {
  World world;
  const auto owner = world.new_owner();
  const Fields fields{{"Idempotency-Key", "the same"}};
  CHECK(world.post(owner, kKeys, R"({"name":"Once"})", fields).status == 201);
  CHECK(world.post(owner, kKeys, R"({"name":"Once"})", fields).status == 409);
  CHECK(world.post(owner, kKeys, R"({"name":"Twice"})", fields).status == 422);
  CHECK(names_of(world.get(owner, kKeys)) == "default,Once");
  CHECK(World::sql("SELECT count(*) FROM idempotency WHERE organization_id = '" + owner.organization.text() +
                   "' AND body IS NOT NULL") == "0");
}

TEST_CASE("A key is deleted only as it was seen, if the caller says so") {
  World world;
  const auto owner = world.new_owner();
  const auto id = make(world, owner, "Seen").text_at("/apiKey/uniqueId");
  const auto seen = [&] {
    const auto head = world.get(owner, path_of(id)).head;
    const auto at = head.find("ETag: ");
    REQUIRE(at != head.npos);
    return Fields{{"If-Match", head.substr(at + 6, head.find('\r', at) - at - 6)}};
  };
  const auto before = seen();
  World::sql("UPDATE credential SET name = 'Renamed' WHERE id = '" + id + "'");
  CHECK(world.del(owner, path_of(id), before).status == 412);
  const auto now = seen();
  World::sql("UPDATE credential SET last_used_at = now() WHERE id = '" + id + "'");  // no client's change
  CHECK(world.del(owner, path_of(id), now).status == 204);
}
