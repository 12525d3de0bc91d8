// Rights end with what they came from: roles, invitations and keys of who may no more.
#include "tests/integration/organizations_world.hpp"

using namespace parley;
using namespace parley::organizations_tests;
using model::AccessLevel;

namespace {

constexpr auto kRoles = "/api/rbac/roles";
constexpr auto kKeys = "/api/auth/api-keys";
constexpr auto kRegenerate = "/api/auth/api-keys/regenerate";
constexpr auto kInvites = "/api/organization/invites";
constexpr auto kJoin = "/api/auth/join-organization";

std::string make_role(World& world, const Caller& owner, const std::string& name, const std::string& permissions) {
  const auto made = world.post(owner, kRoles, R"({"name":")" + name + R"(","permissions":[)" + permissions + "]}");
  REQUIRE(made.status == 201);
  return made.text_at("/role/uniqueId");
}
std::string path_of_role(const std::string& id) { return std::string(kRoles) + "/" + id; }

std::string new_email() { return model::new_uuid().text() + "@x.example"; }

Answer invite(World& world, const Caller& caller, const std::string& more = "") {
  return world.post(caller, kInvites, R"({"email":")" + new_email() + '"' + more + "}");
}
unsigned join(World& world, const Answer& invited) {
  const auto body = R"({"token":")" + invited.text_at("/token") + R"(","name":"Grace","password":"correct horse"})";
  return world.post_as_gateway(kJoin, body).status;
}

// The member, as who came with this key.
Caller with_key(Caller caller, const std::string& key) {
  caller.key = key;
  caller.credential = identity::ApiKey::parse(key)->credential_id.text();
  return caller;
}
std::string made_with(World& world, const Caller& caller, const std::string& more = "") {
  const auto made = world.post(caller, kKeys, R"({"name":"Made")" + more + "}");
  REQUIRE(made.status == 201);
  return made.text_at("/apiKey/key");
}
std::string path_of_key(const std::string& key) {
  return std::string(kKeys) + "/" + identity::ApiKey::parse(key)->credential_id.text();
}

}  // namespace

TEST_CASE("A role is changed, deleted, given and taken only by who holds all that it holds") {
  World world;
  const auto owner = world.new_owner();
  const auto strong = make_role(world, owner, "Strong", R"("Get:Contact","Delete:Contact")");
  const auto weak = make_role(world, owner, "Weak", R"("Get:Contact")");
  make_role(world, owner, "Keeper",
            R"("Get:Contact","Update:OrganizationRole","Delete:OrganizationRole","Update:OrganizationMember")");
  const auto keeper = world.new_member(owner, AccessLevel::Member, {"Keeper"});
  const auto ada = world.new_member(owner, AccessLevel::Member, {"Strong"});
  for (const std::string change : {R"({"name":"Mine"})", R"({"permissions":["Get:Contact"]})"}) {
    const auto refused = world.post(keeper, path_of_role(strong), change);
    CHECK(refused.status == 403);
    CHECK(refused.text.find("you lack Delete:Contact") != refused.text.npos);
  }
  CHECK(world.del(keeper, path_of_role(strong)).status == 403);
  const auto member = "/api/organization/members/" + ada.member.text();
  CHECK(world.post(keeper, member, R"({"roles":[]})").text_at("/errors/0/pointer") == "/roles");
  CHECK(world.post(keeper, member, R"({"roles":[")" + strong + R"(",")" + weak + "\"]}").status == 200);
  CHECK(world.post(keeper, member, R"({"roles":[")" + strong + "\"]}").status == 200);
  CHECK(world.post(keeper, path_of_role(weak), R"({"name":"Weaker"})").status == 200);
  CHECK(world.del(keeper, path_of_role(weak)).status == 204);
  CHECK(world.post(owner, member, R"({"roles":[]})").status == 200);
}

TEST_CASE("An invitation is accepted only while who made it could make it") {
  World world;
  const auto owner = world.new_owner();
  const auto role = make_role(world, owner, "Inviter", R"("Create:OrganizationMember","Get:Contact")");
  const auto given = make_role(world, owner, "Given", R"("Get:Contact")");
  const auto inviter = world.new_member(owner, AccessLevel::Member, {"Inviter"});
  const auto with_role = R"(,"roles":[")" + given + "\"]";
  CHECK(join(world, invite(world, inviter, with_role)) == 201);

  // The role that let them invite loses it, in the database alone: what is checked is what is there then.
  const auto before = invite(world, inviter, with_role);
  World::sql("UPDATE role SET permissions = permissions & ~(1 << " +
             std::to_string(static_cast<int>(Permission::create_organization_member)) + ") WHERE id = '" + role + "'");
  CHECK(join(world, before) == 400);
  World::sql("UPDATE role SET permissions = permissions | (1 << " +
             std::to_string(static_cast<int>(Permission::create_organization_member)) + ") WHERE id = '" + role + "'");
  // What it gives is more by now than they could give.
  CHECK(world.post(owner, path_of_role(given), R"({"permissions":["Get:Contact","Delete:Contact"]})").status == 200);
  CHECK(join(world, before) == 400);
  CHECK(world.post(owner, path_of_role(given), R"({"permissions":["Get:Contact"]})").status == 200);
  CHECK(join(world, before) == 201);

  // A role that loses something, or is deleted, ends what its holders have sent; others' stay.
  const auto open = [&] {
    return World::sql("SELECT count(*) FROM invite WHERE accepted_at IS NULL AND organization_id = '" +
                      owner.organization.text() + "'");
  };
  invite(world, inviter);
  const auto of_owner = invite(world, owner);
  CHECK(world.post(owner, path_of_role(role), R"({"name":"Renamed"})").status == 200);
  CHECK(open() == "2");
  CHECK(world.post(owner, path_of_role(role), R"({"permissions":["Create:OrganizationMember"]})").status == 200);
  CHECK(open() == "1");
  invite(world, inviter);
  CHECK(world.del(owner, path_of_role(role)).status == 204);
  CHECK(open() == "1");
  CHECK(join(world, of_owner) == 201);
}

TEST_CASE("A key that was made with a key ends with it, however far down") {
  World world;
  const auto owner = world.new_owner();
  const auto first = made_with(world, with_key(owner, owner.key));
  const auto second = made_with(world, with_key(owner, first));
  const auto third = made_with(world, with_key(owner, second));
  const auto beside = made_with(world, with_key(owner, owner.key));
  CHECK(world.del(owner, path_of_key(first)).status == 204);
  for (const auto& key : {first, second, third}) CHECK(world.verify(key).status == 401);
  CHECK(world.verify(beside).status == 200);
  CHECK(World::sql("SELECT count(*) FROM outbox, jsonb_array_elements(changes) c WHERE c->>'credentialId' = '" +
                   identity::ApiKey::parse(third)->credential_id.text() + "'") == "1");
  CHECK(world.post(with_key(owner, second), kKeys, R"({"name":"Late"})").status == 401);

  // Regenerate ends what was made with the key that it replaces; the new one is good, whoever of these asked for it.
  const auto child = made_with(world, with_key(owner, owner.key));
  const auto fresh = world.get(with_key(owner, child), kRegenerate);
  REQUIRE(fresh.status == 200);
  for (const auto& key : {owner.key, child, beside}) CHECK(world.verify(key).status == 401);
  CHECK(world.verify(fresh.text_at("/apiKey/key")).status == 200);
}

TEST_CASE("A key that was made with a key is good for no longer") {
  World world;
  const auto owner = world.new_owner();
  const auto brief = made_with(world, owner, R"(,"expiresAt":"2090-01-01T00:00:00Z")");
  const auto caller = with_key(owner, brief);
  const auto later = world.post(caller, kKeys, R"({"name":"Later","expiresAt":"2090-01-01T00:00:01Z"})");
  CHECK(later.status == 403);
  CHECK(later.text_at("/errors/0/pointer") == "/expiresAt");
  CHECK(world.post(caller, kKeys, R"({"name":"n","expiresAt":"2089-01-01T00:00:00Z"})").text_at("/apiKey/expiresAt") ==
        "2089-01-01T00:00:00.000Z");
  CHECK(world.post(caller, kKeys, R"({"name":"n"})").text_at("/apiKey/expiresAt") == "2090-01-01T00:00:00.000Z");
  const auto fresh = world.get(caller, kRegenerate).text_at("/apiKey/key");
  CHECK_FALSE(world.verify(fresh).at("/goodForMs").is_null());
}

TEST_CASE("A key that acts elsewhere takes along what it made there, when its member or organization goes") {
  World world;
  const auto owner = world.new_owner(), host = world.new_owner();
  const auto email = World::sql("SELECT email FROM person WHERE id = '" + owner.person.text() + "'");
  const auto guest = World::caller_of(
      world.run(world.members.add(host.organization, {"G", email, AccessLevel::Admin, {}})), AccessLevel::Admin);
  REQUIRE(guest.person == owner.person);
  const auto member = world.new_member(owner, AccessLevel::Owner);
  const auto there = made_with(world, with_key(guest, owner.key));
  CHECK(world.verify(there).status == 200);
  CHECK(world.del(member, "/api/organization/members/" + owner.member.text()).status == 204);
  CHECK(world.verify(there).status == 401);
  CHECK(World::sql(
            "SELECT count(*) FROM audit WHERE action = 'ApiKeyDeleted' AND member_id IS NULL AND organization_id = '" +
            host.organization.text() + "'") == "1");

  const auto of_host = World::caller_of(
      world.run(world.members.add(owner.organization,
                                  {"H",
                                   World::sql("SELECT email FROM person WHERE id = '" + host.person.text() + "'"),
                                   AccessLevel::Admin,
                                   {}})),
      AccessLevel::Admin);
  const auto again = made_with(world, with_key(of_host, host.key));
  CHECK(world.del(host, "/api/organization/" + host.organization.text() + "?name=Engines").status == 204);
  CHECK(world.verify(again).status == 401);
}

TEST_CASE("Keys that are made while their maker is revoked do not outlive it") {
  World world;
  for (int round = 0; round < 10; ++round) {
    const auto owner = world.new_owner();
    const auto maker = made_with(world, owner);
    std::vector<awaitable<Answer>> works;
    for (int i = 0; i < 3; ++i)
      works.push_back(world.ask(with_key(owner, maker), http::Method::post, kKeys, R"({"name":"raced"})"));
    works.push_back(world.ask(owner, http::Method::del, path_of_key(maker)));
    for (int i = 0; i < 3; ++i)
      works.push_back(world.ask(with_key(owner, maker), http::Method::post, kKeys, R"({"name":"raced"})"));
    world.run_all(std::move(works));
    CHECK(World::sql(
              "SELECT count(*) FROM credential WHERE name = 'raced' AND revoked_at IS NULL AND organization_id = '" +
              owner.organization.text() + "'") == "0");
  }
}
