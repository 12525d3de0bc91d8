// How much an organization and a person may have: one place too few for all who ask at once, and what an operator says.
#include <algorithm>

#include "tests/integration/organizations_world.hpp"

using namespace parley;
using namespace parley::organizations_tests;
namespace quotas = organizations::organizations;

namespace {

quotas::QuotaSettings few(std::int64_t most) {
  return {.owned = most,
          .of_organizations =
              chassis::Quotas({{"members", most}, {"invitations", most}, {"roles", most}, {"api-keys", most}})};
}

// Asks at once, and gives how many were taken; the others are refused by name.
int taken(World& world, const Caller& caller, const std::string& target, const std::string& before,
          const std::string& after, const std::string& quota) {
  std::vector<awaitable<Answer>> works;
  for (int i = 0; i < 8; ++i)
    works.push_back(world.ask(caller, http::Method::post, target, before + std::to_string(i) + after));
  int count = 0;
  for (const auto& answer : world.run_all(std::move(works))) {
    if (answer.status == 201) {
      ++count;
      continue;
    }
    CHECK(answer.status == 403);
    CHECK(answer.text.find("beyond the quota " + quota + ", whose limit is ") != answer.text.npos);
  }
  return count;
}

}  // namespace

TEST_CASE("Of the last places each is taken once, however many ask") {
  World world({}, few(3));
  const auto owner = world.new_owner();
  CHECK(taken(world, owner, "/api/organization", R"({"name":"O)", "\"}", "organizations") == 2);
  CHECK(taken(world, owner, "/api/rbac/roles", R"({"name":"R)", R"(","permissions":[]})", "roles") == 3);
  CHECK(taken(world, owner, "/api/auth/api-keys", R"({"name":"K)", "\"}", "api-keys") == 2);  // and the default one
  CHECK(taken(world, owner, "/api/organization/invites", R"({"email":"i)", "@x.example\"}", "invitations") == 3);
  // What is gone makes room.
  World::sql("UPDATE credential SET revoked_at = now() WHERE name LIKE 'K_'");
  CHECK(taken(world, owner, "/api/auth/api-keys", R"({"name":"L)", "\"}", "api-keys") == 2);
}

TEST_CASE("Members are counted when they come, and Owners when they become it") {
  World world({}, few(2));
  const auto owner = world.new_owner(), other = world.new_owner();
  std::vector<awaitable<Answer>> works;
  for (int i = 0; i < 2; ++i) {
    const auto invited =
        world.post(owner, "/api/organization/invites", R"({"email":")" + model::new_uuid().text() + "@x.example\"}");
    works.push_back(world.ask_as_gateway(
        "/api/auth/join-organization",
        R"({"token":")" + invited.text_at("/token") + R"(","name":"Grace","password":"correct horse"})"));
  }
  const auto answers = world.run_all(std::move(works));
  CHECK(std::ranges::count(answers, 201U, &Answer::status) == 1);
  CHECK(std::ranges::count(answers, 403U, &Answer::status) == 1);

  // A person with two organizations becomes nobody's third Owner, unless an operator says so.
  CHECK(world.post(other, "/api/organization", R"({"name":"Second"})").status == 201);
  const auto email = World::sql("SELECT email FROM person WHERE id = '" + other.person.text() + "'");
  const auto member = world.run(world.members.add(owner.organization, {"O", email, model::AccessLevel::Member, {}}));
  const auto path = "/api/organization/members/" + member.memberId.text();
  const auto refused = world.post(owner, path, R"({"accessLevel":"Owner"})");
  CHECK(refused.status == 403);
  CHECK(refused.text.find("beyond the quota organizations, whose limit is 2") != refused.text.npos);
  CHECK(world.run(quotas::Ownership(world.database, 2).set(other.person, 3)));
  CHECK(world.post(owner, path, R"({"accessLevel":"Owner"})").status == 200);
  const auto use = world.run(quotas::Ownership(world.database, 2).use(other.person));
  CHECK(use.limit == 3);
  CHECK(use.used == 3);
}

TEST_CASE("An organization's own limit holds in place of the usual one, and only for it") {
  World world({}, few(1));
  const auto owner = world.new_owner(), other = world.new_owner();
  World::sql("INSERT INTO quota VALUES ('" + owner.organization.text() + "', 'roles', 2)");
  CHECK(taken(world, owner, "/api/rbac/roles", R"({"name":"R)", R"(","permissions":[]})", "roles") == 2);
  CHECK(taken(world, other, "/api/rbac/roles", R"({"name":"R)", R"(","permissions":[]})", "roles") == 1);
}

TEST_CASE("80 and 100 percent of a quota are told once, whoever asks at once, and again after less was used") {
  World world({}, few(10));
  const auto owner = world.new_owner();
  const auto told = [&] {
    return World::sql(
        "SELECT coalesce(string_agg(concat_ws(' of ', c ->> 'used', c ->> 'limit') || ': ' || (c ->> 'percent'), ', ' "
        "ORDER BY o.id), '') FROM outbox o, jsonb_array_elements(o.changes) c WHERE c ->> 'type' = 'quota.reached' AND "
        "c ->> 'quota' = 'roles' AND c ->> 'organizationId' = '" +
        owner.organization.text() + "'");
  };
  const auto make = [&](const std::string& name) {
    return taken(world, owner, "/api/rbac/roles", R"({"name":")" + name, R"(","permissions":[]})", "roles");
  };
  CHECK(make("R") == 8);
  CHECK(told() == "8 of 10: 80");
  CHECK(make("S") == 2);
  CHECK(make("T") == 0);
  CHECK(told() == "8 of 10: 80, 10 of 10: 100");

  const auto remove = [&](const std::string& which) {
    World::sql("DELETE FROM role WHERE organization_id = '" + owner.organization.text() + "' AND name LIKE '" + which +
               "'");
  };
  remove("S%");  // not below 80 percent: those are told already
  CHECK(make("U") == 2);
  CHECK(told() == "8 of 10: 80, 10 of 10: 100, 10 of 10: 100");
  remove("%");
  CHECK(make("V") == 8);
  CHECK(told() == "8 of 10: 80, 10 of 10: 100, 10 of 10: 100, 8 of 10: 80");
}

TEST_CASE("Of a small quota 100 percent are told without 80 before, and of none nothing") {
  World world({}, few(1));
  const auto owner = world.new_owner();
  World::sql("INSERT INTO quota VALUES ('" + owner.organization.text() + "', 'invitations', 0)");
  CHECK(taken(world, owner, "/api/rbac/roles", R"({"name":"R)", R"(","permissions":[]})", "roles") == 1);
  CHECK(taken(world, owner, "/api/organization/invites", R"({"email":"i)", "@x.example\"}", "invitations") == 0);
  CHECK(World::sql("SELECT string_agg(concat_ws(' ', c ->> 'quota', c ->> 'percent'), ', ') FROM outbox o, "
                   "jsonb_array_elements(o.changes) c WHERE c ->> 'type' = 'quota.reached' AND "
                   "c ->> 'organizationId' = '" +
                   owner.organization.text() + "'") == "roles 100");
}
