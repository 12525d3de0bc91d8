// Organizations, roles, keys and members, asked for as the gateway and other services do.
#include <algorithm>

#include "organizations/members/summaries.hpp"
#include "tests/integration/organizations_world.hpp"

using namespace parley;
using namespace parley::organizations_tests;

namespace {

constexpr auto kOrganizations = "/api/organization";
constexpr auto kRoles = "/api/rbac/roles";
constexpr auto kRegenerate = "/api/auth/api-keys/regenerate";

std::string names_of(const Answer& answer) {
  std::string out;
  for (const auto& organization : answer.at("/organizations").as_array())
    out.append(out.empty() ? "" : ",").append(organization.at("name").as_string());
  return out;
}

std::uint64_t mask_of(const Answer& verdict) { return std::stoull(verdict.text_at("/permissions"), nullptr, 16); }

Caller with(Caller caller, PermissionSet permissions) {
  caller.level = model::AccessLevel::Member;
  caller.permissions = permissions;
  return caller;
}

PermissionSet set_of(std::initializer_list<Permission> permissions) {
  PermissionSet set;
  for (const auto permission : permissions) set.add(permission);
  return set;
}

}  // namespace

TEST_CASE("Organizations are made by a member and listed for the person") {
  World world;
  const auto owner = world.new_owner("First");
  const auto stranger = world.new_owner("Stranger's");
  const auto made =
      world.post(owner, kOrganizations, R"({"name":"Second","description":"d","websiteUrl":"https://second.example"})");
  REQUIRE(made.status == 201);
  const auto id = made.text_at("/organization/uniqueId");
  CHECK(made.has_header("Location: /api/organization/" + id));
  CHECK(made.text ==
        R"({"organization":{"uniqueId":")" + id + R"(","name":"Second","description":"d","createdAt":")" +
            made.text_at("/organization/createdAt") +
            R"(","websiteUrl":"https://second.example","logoUrl":"","faviconUrl":"","businessAccountId":"",)"
            R"("messagingBusinessAccountDetails":null,"IsAutoHandlingConversationsEnabled":false,)"
            R"("isOnboardingCompleted":false,"requiresSecondFactor":false}})");

  const auto listed = world.get(owner, kOrganizations);
  CHECK(names_of(listed) == "First,Second");
  CHECK(boost::json::serialize(listed.at("/paginationMeta")) ==
        R"({"page":1,"per_page":20,"total":2,"nextCursor":null})");
  CHECK(boost::json::serialize(listed.at("/organizations/1")) == boost::json::serialize(made.at("/organization")));
  CHECK(names_of(world.get(owner, "/api/organization?order=desc")) == "Second,First");
  const auto second = world.get(owner, "/api/organization?skip=1&limit=1");
  CHECK(names_of(second) == "Second");
  CHECK(boost::json::serialize(second.at("/paginationMeta"))
            .starts_with(R"({"page":2,"per_page":1,"total":2,"nextCursor":")"));
  CHECK(names_of(world.get(owner, "/api/organization?page=3&per_page=1")).empty());
  CHECK(names_of(world.get(stranger, kOrganizations)) == "Stranger's");
}

TEST_CASE("Whoever makes an organization owns it, and can act in it with the key they have") {
  World world;
  const auto owner = world.new_owner();
  const auto made = world.post(owner, kOrganizations, R"({"name":"Another"})");
  const auto id = *model::Uuid::parse(made.text_at("/organization/uniqueId"));
  const auto verdict = world.verify(owner.key, id);
  REQUIRE(verdict.status == 200);
  CHECK(verdict.text_at("/organizationId") == id.text());
  CHECK(verdict.text_at("/accessLevel") == "Owner");
  CHECK(verdict.text_at("/memberId") != owner.member.text());
  Caller there{id, *model::Uuid::parse(verdict.text_at("/memberId")), owner.person, {}};
  CHECK(names_of(world.get(there, kOrganizations)) == "Engines,Another");
}

TEST_CASE("Bad organizations and queries are refused with what is wrong") {
  World world;
  const auto owner = world.new_owner();
  const auto bad = world.post(owner, kOrganizations, R"({"name":" ","websiteUrl":"javascript:x"
})");
  CHECK(bad.status == 400);
  CHECK(bad.text_at("/errors/0/pointer") == "/name");
  CHECK(bad.text_at("/errors/1/pointer") == "/websiteUrl");
  CHECK(world.post(owner, kOrganizations, R"({"name":")" + std::string(256, 'x') + "\"}").status == 400);
  CHECK(world.post(owner, kOrganizations, R"({"description":"no name"})").text_at("/errors/0/pointer") == "/name");
  CHECK(world.get(owner, "/api/organization?per_page=0").status == 400);
  CHECK(world.get(owner, "/api/organization?per_page=101").status == 400);
  CHECK(world.get(owner, "/api/organization?sort=name").status == 400);
}

TEST_CASE("Who is no more meanwhile makes nothing") {
  World world;
  auto gone = world.new_owner();
  gone.member = model::new_uuid();
  gone.person = model::new_uuid();
  CHECK(world.post(gone, kOrganizations, R"({"name":"Nobody's own"})").status == 401);
  CHECK(World::sql("SELECT count(*) FROM organization WHERE name = 'Nobody''s own'") == "0");
  CHECK(world.get(gone, kRegenerate).status == 401);
  CHECK(world.get(gone, kOrganizations).at("/paginationMeta/total").to_number<int>() == 0);
}

TEST_CASE("A role has each permission once, in their order") {
  World world;
  const auto owner = world.new_owner();
  const auto made = world.post(
      owner, kRoles, R"({"name":"Support","permissions":["Get:Contact","Get:Conversation","Get:Contact"],"extra":1})");
  REQUIRE(made.status == 201);
  const auto id = made.text_at("/role/uniqueId");
  CHECK(made.text == R"({"role":{"uniqueId":")" + id +
                         R"(","name":"Support","description":"","permissions":["Get:Conversation","Get:Contact"]}})");
  CHECK(made.has_header("Location: /api/rbac/roles/" + id));
}

TEST_CASE("Role names are unique in an organization whatever their case") {
  World world;
  const auto owner = world.new_owner(), other = world.new_owner();
  CHECK(world.post(owner, kRoles, R"({"name":"Support","permissions":[]})").status == 201);
  const auto taken = world.post(owner, kRoles, R"({"name":"sUPPORT","permissions":[]})");
  CHECK(taken.status == 409);
  CHECK(taken.text_at("/detail").find("sUPPORT") != std::string::npos);
  CHECK(taken.text_at("/errors/0/pointer") == "/name");
  CHECK(world.post(other, kRoles, R"({"name":"Support","permissions":[]})").status == 201);

  std::vector<awaitable<Answer>> at_once;
  for (int i = 0; i < 6; ++i)
    at_once.push_back(world.ask(owner, http::Method::post, kRoles, R"({"name":"Once","permissions":[]})"));
  const auto answers = world.run_all(std::move(at_once));
  CHECK(std::count_if(answers.begin(), answers.end(), [](auto& answer) { return answer.status == 201; }) == 1);
  CHECK(std::count_if(answers.begin(), answers.end(), [](auto& answer) { return answer.status == 409; }) == 5);
}

TEST_CASE("Unknown permissions are named, and so are those that the caller lacks") {
  World world;
  const auto owner = world.new_owner();
  const auto unknown =
      world.post(owner, kRoles, R"({"name":"x","permissions":["Get:Contact","Get:contact","Fly:Kite"]})");
  CHECK(unknown.status == 400);
  CHECK(unknown.text_at("/errors/0/pointer") == "/permissions/1");
  CHECK(unknown.text_at("/errors/1/pointer") == "/permissions/2");
  CHECK(world.post(owner, kRoles, R"({"name":"x"})").text_at("/errors/0/pointer") == "/permissions");
  std::string many = R"({"name":"x","permissions":["Get:Contact")";
  for (int i = 0; i < 100; ++i) many += R"(,"Get:Contact")";
  CHECK(world.post(owner, kRoles, many + "]}").text_at("/errors/0/pointer") == "/permissions");

  const auto limited = with(owner, set_of({Permission::create_organization_role, Permission::get_contact}));
  const auto refused = world.post(limited, kRoles, R"({"name":"x","permissions":["Get:Contact","Delete:Contact"]})");
  CHECK(refused.status == 403);
  CHECK(refused.text_at("/detail").find("Delete:Contact") != std::string::npos);
  CHECK(refused.text_at("/errors/0/pointer") == "/permissions/1");
  CHECK(world.post(limited, kRoles, R"({"name":"x","permissions":["Get:Contact"]})").status == 201);
  const auto without = with(owner, set_of({Permission::get_contact}));
  CHECK(world.post(without, kRoles, R"({"name":"y","permissions":[]})").status == 403);
}

TEST_CASE("Regenerating a key ends the old one at once") {
  World world;
  const auto owner = world.new_owner();
  REQUIRE(world.verify(owner.key).status == 200);
  const auto answer = world.get(owner, kRegenerate);
  REQUIRE(answer.status == 200);
  CHECK(answer.has_header("Cache-Control: no-store"));
  const auto key = answer.text_at("/apiKey/key");
  const auto parsed = identity::ApiKey::parse(key);
  REQUIRE(parsed);
  CHECK(parsed->organization_id == owner.organization);
  CHECK(answer.text_at("/apiKey/uniqueId") == parsed->credential_id.text());
  CHECK(world.verify(owner.key).status == 401);
  CHECK(world.verify(key).status == 200);
  // Of the secret nothing but its hash is stored.
  CHECK(World::sql("SELECT count(*) FROM credential c WHERE c::text LIKE '%" + parsed->secret + "%'") == "0");
}

TEST_CASE("Keys regenerated many times at once leave one that is good") {
  World world;
  const auto owner = world.new_owner();
  std::vector<awaitable<Answer>> at_once;
  for (int i = 0; i < 20; ++i) at_once.push_back(world.ask(owner, http::Method::get, kRegenerate));
  int good = 0;
  for (const auto& answer : world.run_all(std::move(at_once))) {
    CHECK((answer.status == 200 || answer.status == 401));  // what they ask with may have been replaced by then
    if (answer.status != 200) continue;
    good += world.verify(answer.text_at("/apiKey/key")).status == 200;
  }
  CHECK(good == 1);
  CHECK(World::sql("SELECT count(*) FROM credential WHERE revoked_at IS NULL AND organization_id = '" +
                   owner.organization.text() + "'") == "1");
}

TEST_CASE("A HEAD regenerates nothing, and neither does a call with parameters or without the permission") {
  World world;
  const auto owner = world.new_owner();
  const auto head = world.run(world.ask(owner, http::Method::head, kRegenerate));
  CHECK(head.status == 405);
  CHECK(head.has_header("Allow: GET"));
  CHECK(world.get(owner, std::string(kRegenerate) + "?force=1").status == 400);
  CHECK(world.get(with(owner, set_of({Permission::get_api_key})), kRegenerate).status == 403);
  CHECK(world.verify(owner.key).status == 200);
}

TEST_CASE("A member's key says what they may do") {
  World world;
  const auto owner = world.new_owner();
  const auto all = PermissionSet::all().mask();
  auto but_deleting = PermissionSet::all();
  but_deleting.remove(Permission::delete_organization);
  world.post(owner, kRoles, R"({"name":"Reader","permissions":["Get:Contact","Get:List"]})");
  world.post(owner, kRoles, R"({"name":"Writer","permissions":["Create:List","Get:List"]})");
  const auto add = [&](const char* email, model::AccessLevel level, std::vector<std::string> roles) {
    const auto address = std::string(email) + model::new_uuid().text() + "@x.example";
    return World::caller_of(world.run(world.members.add(owner.organization, {"N", address, level, std::move(roles)})));
  };
  const auto admin = add("admin", model::AccessLevel::Admin, {"Reader"});
  const auto both = add("both", model::AccessLevel::Member, {"reader", "Writer"});
  const auto none = add("none", model::AccessLevel::Member, {});

  CHECK(mask_of(world.verify(owner.key)) == all);
  CHECK(mask_of(world.verify(admin.key)) == but_deleting.mask());
  CHECK(mask_of(world.verify(none.key)) == 0);
  const auto verdict = world.verify(both.key);
  CHECK(mask_of(verdict) == set_of({Permission::get_contact, Permission::get_list, Permission::create_list}).mask());
  CHECK(verdict.text_at("/accessLevel") == "Member");
  CHECK(verdict.text_at("/memberId") == both.member.text());
  CHECK(verdict.text_at("/organizationId") == owner.organization.text());
  CHECK(verdict.text_at("/credentialId") == identity::ApiKey::parse(both.key)->credential_id.text());
}

TEST_CASE("Keys that are unknown, wrong, expired or revoked are refused alike") {
  World world;
  const auto owner = world.new_owner();
  auto key = *identity::ApiKey::parse(owner.key);
  const auto refused = [&](const identity::ApiKey& other) {
    const auto answer = world.verify(other.text());
    CHECK(answer.status == 401);
    CHECK(answer.has_header("WWW-Authenticate: Bearer realm=\"parley\""));
    CHECK(answer.text_at("/errors/0/pointer") == "/key");
    return answer.text_at("/detail");
  };
  const auto said = refused(identity::ApiKey::create(key.organization_id, key.credential_id));
  CHECK(refused(identity::ApiKey::create(key.organization_id, model::new_uuid())) == said);
  auto elsewhere = key;
  elsewhere.organization_id = world.new_owner().organization;
  CHECK(refused(elsewhere) == said);
  World::sql("UPDATE credential SET expires_at = now() - interval '1 second' WHERE id = '" + key.credential_id.text() +
             "'");
  CHECK(refused(key) == said);
  World::sql("UPDATE credential SET expires_at = now() + interval '1 hour' WHERE id = '" + key.credential_id.text() +
             "'");
  CHECK(world.verify(owner.key).status == 200);
  World::sql("UPDATE credential SET revoked_at = now() WHERE id = '" + key.credential_id.text() + "'");
  CHECK(refused(key) == said);
}

TEST_CASE("A key is good only where its person is a member, and only the gateway may ask") {
  World world;
  const auto owner = world.new_owner(), stranger = world.new_owner();
  for (const auto& organization : {stranger.organization, model::new_uuid()}) {
    const auto answer = world.verify(owner.key, organization);
    CHECK(answer.status == 403);
    CHECK(answer.text_at("/errors/0/pointer") == "/organizationId");
  }
  CHECK(world.post(owner, "/internal/credentials/verify", "{}").status == 404);
  CHECK(world.post_as_gateway("/internal/credentials/verify", "{}").status == 400);
}

TEST_CASE("A key's use is noted once a minute") {
  World world;
  const auto owner = world.new_owner();
  const auto id = identity::ApiKey::parse(owner.key)->credential_id.text();
  const auto last_used = [&] { return World::sql("SELECT last_used_at FROM credential WHERE id = '" + id + "'"); };
  CHECK(last_used().empty());
  for (int i = 0; i < 5; ++i) CHECK(world.verify(owner.key).status == 200);
  world.until([&] { return !last_used().empty(); });
  const auto noted = last_used();
  CHECK(world.verify(owner.key).status == 200);
  World::sql("UPDATE credential SET last_used_at = now() - interval '59 seconds' WHERE id = '" + id + "'");
  const auto recent = last_used();
  CHECK(world.verify(owner.key).status == 200);
  world.get(owner, kOrganizations);
  CHECK(last_used() == recent);
  World::sql("UPDATE credential SET last_used_at = now() - interval '61 seconds' WHERE id = '" + id + "'");
  const auto old = last_used();
  CHECK(world.verify(owner.key).status == 200);
  world.until([&] { return last_used() != old; });
}

TEST_CASE("Members are shown to conversations with their roles") {
  World world;
  const auto owner = world.new_owner("Shown");
  world.post(owner, kRoles, R"({"name":"Reader","description":"reads","permissions":["Get:Contact"]})");
  const auto email = model::new_uuid().text() + "@x.example";
  const auto added =
      world.run(world.members.add(owner.organization, {"Bob \"B\"\nX", email, model::AccessLevel::Member, {"Reader"}}));
  const auto target = "/internal/members/summaries?organization_id=" + owner.organization.text() +
                      "&member_ids=" + added.memberId.text() + "," + model::new_uuid().text() + "," +
                      owner.member.text();
  const auto answer = world.get_as_conversations(target);
  REQUIRE(answer.status == 200);
  const chassis::Fragments parts(answer.text);
  REQUIRE(parts.of(added.memberId));
  model::Fault fault;
  const auto bob = model::parse(*parts.of(added.memberId), fault);
  REQUIRE(bob);
  CHECK(bob->at("name").as_string() == "Bob \"B\"\nX");
  CHECK(bob->at("email").as_string() == email);
  CHECK(bob->at("accessLevel").as_string() == "Member");
  CHECK(bob->at_pointer("/roles/0/name").as_string() == "Reader");
  CHECK(bob->at_pointer("/roles/0/permissions/0").as_string() == "Get:Contact");
  REQUIRE(parts.of(owner.member));
  CHECK(parts.of(owner.member)->find(R"("roles":[])") != std::string_view::npos);
  CHECK(std::count(answer.text.begin(), answer.text.end(), '\n') == 2);
  // Another organization's members are not there.
  const auto other = world.get_as_conversations(
      "/internal/members/summaries?organization_id=" + world.new_owner().organization.text() +
      "&member_ids=" + owner.member.text());
  CHECK(other.text.empty());
  CHECK(world.get(owner, target).status == 404);
}

TEST_CASE("Members with many roles of many words are shown piece by piece, each once") {
  World world;
  const auto owner = world.new_owner("Wordy");
  const auto organization = "'" + owner.organization.text() + "'";
  World::sql("INSERT INTO role (organization_id, id, name, description, permissions) SELECT " + organization +
             ", gen_random_uuid(), to_char(i, 'FM000'), repeat(U&'\\+01D518', 2000), 1 FROM generate_series(1, 100) i");
  std::vector<model::Uuid> ids{owner.member};
  auto target =
      "/internal/members/summaries?organization_id=" + owner.organization.text() + "&member_ids=" + owner.member.text();
  for (int i = 0; i < 7; ++i) {
    ids.push_back(world.new_member(owner, model::AccessLevel::Member).member);
    target += "," + ids.back().text();
  }
  World::sql(
      "INSERT INTO member_role (organization_id, member_id, role_id) SELECT m.organization_id, m.id, r.id "
      "FROM member m JOIN role r USING (organization_id) WHERE m.organization_id = " +
      organization);

  const auto answer = world.get_as_conversations(target);
  CHECK(std::count(answer.text.begin(), answer.text.end(), '\n') == 8);
  const chassis::Fragments parts(answer.text);
  for (const auto& id : ids) {
    REQUIRE(parts.of(id));
    const auto member = model::from_json<model::OrganizationMember>(*parts.of(id));
    REQUIRE(member);
    CHECK(member->roles.size() == 100);
  }
  // No more of it is read, and in memory, than a piece.
  organizations::members::Summaries summaries(world.members, owner.organization, ids);
  std::size_t pieces = 0, longest = 0;
  const auto next = [&]() -> awaitable<std::size_t> {
    const auto piece = co_await summaries.next();
    co_return piece.size();
  };
  while (const auto size = world.run(next())) {
    ++pieces;
    longest = std::max(longest, size);
  }
  CHECK(pieces == 8);
  CHECK(longest < 1 << 20);
}

TEST_CASE("An owner is made once, however often and at once it is asked for") {
  World world;
  const auto email = model::new_uuid().text() + "@x.example";
  std::vector<awaitable<organizations::members::Enrolled>> at_once;
  for (int i = 0; i < 5; ++i) at_once.push_back(world.members.create_owner({"Ada", email, {}, {}}, "Engines"));
  const auto enrolled = world.run_all(std::move(at_once));
  int keys = 0;
  for (const auto& one : enrolled) {
    CHECK(one.organizationId == enrolled.front().organizationId);
    CHECK(one.memberId == enrolled.front().memberId);
    keys += one.apiKey.has_value();
  }
  CHECK(keys == 1);
  auto shouted = email;
  std::transform(shouted.begin(), shouted.end(), shouted.begin(), [](unsigned char c) { return std::toupper(c); });
  const auto again = world.run(world.members.create_owner({"Ada", shouted, {}, {}}, "Engines"));
  CHECK(again.organizationId == enrolled.front().organizationId);
  CHECK_FALSE(again.apiKey);
  const auto other = world.run(world.members.create_owner({"Ada", email, {}, {}}, "Looms"));
  CHECK(other.organizationId != again.organizationId);
  CHECK(other.apiKey);
}

TEST_CASE("Members are not added twice, nor to nowhere, nor with roles that are not there") {
  World world;
  const auto owner = world.new_owner();
  const auto email = model::new_uuid().text() + "@x.example";
  const auto status_of = [&](model::Uuid organization, std::vector<std::string> roles) -> unsigned {
    try {
      world.run(world.members.add(organization, {"Bob", email, model::AccessLevel::Member, std::move(roles)}));
    } catch (const http::Problem& problem) {
      return problem.status;
    }
    return 200;
  };
  CHECK(status_of(owner.organization, {"Nope"}) == 400);
  CHECK(World::sql("SELECT count(*) FROM person WHERE email = '" + email + "'") == "0");
  CHECK(status_of(model::new_uuid(), {}) == 404);
  CHECK(status_of(owner.organization, {}) == 200);
  CHECK(status_of(owner.organization, {}) == 409);
}
