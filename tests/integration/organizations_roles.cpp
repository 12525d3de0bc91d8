// Roles after they were made: lists, changes, deletion, and the list of all permissions.
#include "tests/integration/organizations_world.hpp"

using namespace parley;
using namespace parley::organizations_tests;

namespace {

constexpr auto kRoles = "/api/rbac/roles";

std::string make(World& world, const Caller& caller, const std::string& name, const std::string& permissions) {
  return std::string(kRoles) + "/" +
         world.post(caller, kRoles, R"({"name":")" + name + R"(","permissions":[)" + permissions + "]}")
             .text_at("/role/uniqueId");
}

std::string names(const Answer& answer) {
  std::string out;
  for (const auto& role : answer.at("/roles").as_array()) out.append(role.at("name").as_string()).append(" ");
  return out;
}

Caller holding(Caller caller, std::initializer_list<Permission> permissions) {
  caller.level = model::AccessLevel::Member;
  caller.permissions = {};
  for (const auto permission : permissions) caller.permissions.add(permission);
  return caller;
}

std::string count_events(const Caller& caller) {
  return World::sql(
      "SELECT count(*) FROM outbox o, jsonb_array_elements(o.changes) e WHERE e->>'type' = "
      "'access.changed' AND e->>'memberId' IS NULL AND e->>'personId' IS NULL AND e->>'organizationId' = '" +
      caller.organization.text() + "'");
}

}  // namespace

TEST_CASE("Roles are listed, searched, sorted and read one by one") {
  World world;
  const auto owner = world.new_owner();
  const auto first = make(world, owner, "beta", R"("Get:Contact")");
  make(world, owner, "Alpha", "");
  make(world, owner, "gamma", "");
  make(world, world.new_owner(), "alpha", "");
  CHECK(names(world.get(owner, kRoles)) == "beta Alpha gamma ");
  CHECK(names(world.get(owner, "/api/rbac/roles?sort_by=name")) == "Alpha beta gamma ");
  CHECK(names(world.get(owner, "/api/rbac/roles?order=desc&per_page=2")) == "gamma Alpha ");
  CHECK(names(world.get(owner, "/api/rbac/roles?search=A&sort_by=name&skip=1")) == "beta gamma ");
  CHECK(boost::json::serialize(world.get(owner, "/api/rbac/roles?search=lph").at("/paginationMeta")) ==
        R"({"page":1,"per_page":20,"total":1,"nextCursor":null})");
  const auto one = world.get(owner, first);
  CHECK(one.text_at("/role/permissions/0") == "Get:Contact");
  CHECK(world.get(world.new_owner(), first).status == 404);
  CHECK(world.get(holding(owner, {Permission::get_contact}), first).status == 403);
}

TEST_CASE("A role is changed in part, and who has it can do what it holds now") {
  World world;
  const auto owner = world.new_owner();
  const auto role = make(world, owner, "Reader", R"("Get:Contact")");
  const auto ada = world.new_member(owner, model::AccessLevel::Member, {"Reader"});
  const auto renamed = world.post(owner, role, R"({"name":"Readers","description":"d"})");
  REQUIRE(renamed.status == 200);
  CHECK(renamed.text_at("/role/permissions/0") == "Get:Contact");
  CHECK(count_events(owner) == "0");
  CHECK(world.post(owner, role, R"({"permissions":["Get:List","Get:List"]})").text_at("/role/name") == "Readers");
  CHECK(count_events(owner) == "1");
  PermissionSet expected;
  expected.add(Permission::get_list);
  CHECK(world.verify(ada.key).text_at("/permissions") == world.verify(ada.key).text_at("/permissions"));
  CHECK(std::stoull(world.verify(ada.key).text_at("/permissions"), nullptr, 16) == expected.mask());
  CHECK(world.post(owner, role, R"({"permissions":["Get:List"]})").status == 200);
  CHECK(count_events(owner) == "1");
  CHECK(World::sql("SELECT count(*) FROM audit WHERE action = 'RoleUpdated' AND organization_id = '" +
                   owner.organization.text() + "'") == "2");

  make(world, owner, "Writer", "");
  CHECK(world.post(owner, role, R"({"name":"WRITER"})").status == 409);
  CHECK(world.post(owner, role, R"({"name":"readers"})").status == 200);
  CHECK(world.post(owner, role, R"({"name":" "})").text_at("/errors/0/pointer") == "/name");
  CHECK(world.post(owner, role, R"({"permissions":["Fly:Kite"]})").text_at("/errors/0/pointer") == "/permissions/0");
  CHECK(world.post(owner, role, R"({"description":"x"})", {{"If-Match", "\"other\""}}).status == 412);
}

TEST_CASE("Nobody adds to a role what they lack, nor with rights that they had a moment ago") {
  World world;
  const auto owner = world.new_owner();
  const auto above = make(world, owner, "Reader", R"("Get:Contact")");
  const auto role = make(world, owner, "Lister", R"("Get:List")");
  make(world, owner, "Editor", R"("Update:OrganizationRole","Create:OrganizationRole","Get:List","Get:Campaign")");
  const auto ada = world.new_member(owner, model::AccessLevel::Member, {"Editor"});
  const auto refused = world.post(ada, role, R"({"permissions":["Get:List","Get:Tag"]})");
  CHECK(refused.status == 403);
  CHECK(refused.text_at("/errors/0/pointer") == "/permissions/1");
  CHECK(world.post(ada, role, R"({"permissions":["Get:Campaign","Get:List"]})").status == 200);
  CHECK(world.post(ada, role, R"({"permissions":["Get:List"]})").status == 200);
  CHECK(world.post(ada, role, R"({"permissions":["Get:Contact"]})").status == 403);
  // Nor do they take from others what they lack.
  CHECK(world.post(ada, above, R"({"permissions":["Get:List"]})").text_at("/detail").find("Get:Contact") !=
        std::string::npos);
  CHECK(world.post(owner, "/api/organization/members/" + ada.member.text(), R"({"roles":[]})").status == 200);
  CHECK(world.post(ada, role, R"({"description":"late"})").status == 403);
  CHECK(world.post(ada, kRoles, R"({"name":"late","permissions":[]})").status == 403);
}

TEST_CASE("A deleted role is taken from its members") {
  World world;
  const auto owner = world.new_owner();
  const auto role = make(world, owner, "Reader", R"("Get:Contact")");
  const auto ada = world.new_member(owner, model::AccessLevel::Member, {"Reader"});
  CHECK(world.del(world.new_owner(), role).status == 404);
  CHECK(world.del(holding(owner, {Permission::update_organization_role}), role).status == 403);
  CHECK(world.del(owner, role).status == 204);
  CHECK(world.del(owner, role).status == 404);
  CHECK(world.verify(ada.key).text_at("/permissions") == "0");
  CHECK(world.get(owner, "/api/organization/members/" + ada.member.text()).at("/member/roles").as_array().empty());
  CHECK(count_events(owner) == "1");
}

TEST_CASE("All permissions are listed, and which the caller holds") {
  World world;
  const auto owner = world.new_owner();
  const auto answer = world.get(holding(owner, {Permission::get_tag}), "/api/rbac/permissions");
  const auto& all = answer.at("/permissions").as_array();
  CHECK(all.size() == identity::kPermissionCount);
  for (const auto& permission : all) CHECK(permission.at("held").as_bool() == (permission.at("name") == "Get:Tag"));
}
