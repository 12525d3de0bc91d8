// An organization's settings, its secrets, its end, and the removal of what it had.
#include "organizations/organizations/removal.hpp"
#include "tests/integration/organizations_world.hpp"

using namespace parley;
using namespace parley::organizations_tests;
using model::AccessLevel;

namespace {

std::string path_of(const Caller& caller) { return "/api/organization/" + caller.organization.text(); }

// An account on the channel, as connecting one leaves it.
void connect(const Caller& caller) {
  const secrets::KeyRing keys(encryption_keys());
  const auto id = caller.organization.text();
  World::sql(
      "INSERT INTO account (organization_id, business_account_id, phone_number_id, access_token, webhook_secret, "
      "verification_status, is_registered) VALUES ('" +
      id + "', '1', '2', '" + keys.seal(caller.organization, "access_token", "a-very-long-access-token") + "', '" +
      keys.seal(caller.organization, "webhook_secret", "a-very-long-webhook-secret") + "', 'Verified', true)");
  World::sql("INSERT INTO phone_directory VALUES ('" + id + "', '" + id + "')");
}

std::string rows_of(const Caller& caller) {
  std::string counts;
  for (const std::string table : {"organization", "member", "role", "member_role", "credential", "account", "invite",
                                  "invite_role", "audit", "audit_tally", "phone_directory", "removal"})
    counts += (counts.empty() ? "" : " UNION ALL ") +
              ("SELECT '" + table + "' AS name, count(*) AS rows FROM " + table) + " WHERE organization_id = '" +
              caller.organization.text() + "'";
  return World::sql("SELECT coalesce(string_agg(name || ' ' || rows, ', ' ORDER BY name), '') FROM (" + counts +
                    ") counts WHERE rows > 0");
}

std::string delete_path(const Caller& caller, const std::string& name) {
  std::string out = path_of(caller) + "?name=";
  http::append_encoded(out, name);
  return out;
}

}  // namespace

TEST_CASE("An organization is read by those who act in it, its secrets whole by its Owners alone") {
  World world;
  const auto owner = world.new_owner("Engines");
  CHECK(world.get(owner, path_of(owner)).head.find("ETag: ") != std::string::npos);
  connect(owner);
  const auto whole = world.get(owner, path_of(owner));
  CHECK(whole.text_at("/organization/messagingBusinessAccountDetails/accessToken") == "a-very-long-access-token");
  CHECK(whole.has_header("Cache-Control: no-store"));
  CHECK(whole.head.find("ETag: ") == std::string::npos);
  const auto admin = world.new_member(owner, AccessLevel::Admin);
  const auto masked = world.get(admin, path_of(owner));
  CHECK(masked.text_at("/organization/messagingBusinessAccountDetails/accessToken") == "****oken");
  CHECK(masked.text_at("/organization/messagingBusinessAccountDetails/webhookSecret") == "****cret");
  CHECK(masked.head.find("ETag: ") != std::string::npos);
  CHECK(world.post(owner, path_of(owner), R"({"description":"d"})").text.find("a-very-long") == std::string::npos);
  const auto stranger = world.new_owner();
  CHECK(world.get(stranger, path_of(owner)).status == 404);
  CHECK(world.post(stranger, path_of(owner), "{}").status == 404);
  CHECK(world.del(stranger, delete_path(owner, "Engines")).status == 404);
  CHECK(world.get(world.new_member(owner, AccessLevel::Member), path_of(owner)).status == 403);
}

TEST_CASE(
    "An organization is another one for If-Match when its account is, though not when its secrets are sealed anew") {
  World world;
  const auto owner = world.new_owner("Engines");
  const auto admin = world.new_member(owner, AccessLevel::Admin);
  const auto seen = [&] {
    const auto head = world.get(admin, path_of(owner)).head;
    const auto from = head.find("ETag: ") + 6;
    return Fields{{"If-Match", head.substr(from, head.find("\r\n", from) - from)}};
  };
  const auto account = " WHERE organization_id = '" + owner.organization.text() + "'";
  const auto without = seen();
  connect(owner);
  CHECK(world.post(admin, path_of(owner), R"({"name":"Looms"})", without).status == 412);
  const auto before = seen();
  World::sql("UPDATE account SET updated_at = updated_at + interval '1 second'" + account);  // connected again
  CHECK(world.post(admin, path_of(owner), R"({"name":"Looms"})", before).status == 412);
  const auto now = seen();
  World::sql("UPDATE account SET access_token = access_token, webhook_secret = webhook_secret" + account);
  CHECK(world.post(admin, path_of(owner), R"({"name":"Looms"})", now).status == 200);
}

TEST_CASE("An organization is changed in part; what is wrong is named, and a change is audited") {
  World world;
  const auto owner = world.new_owner("Engines");
  const auto changed = world.post(
      owner, path_of(owner),
      R"({"logoUrl":"https://x.example/l.png","IsAutoHandlingConversationsEnabled":true,"isOnboardingCompleted":true})");
  REQUIRE(changed.status == 200);
  CHECK(changed.text_at("/organization/name") == "Engines");
  CHECK(changed.text_at("/organization/logoUrl") == "https://x.example/l.png");
  CHECK(changed.at("/organization/IsAutoHandlingConversationsEnabled").as_bool());
  CHECK_FALSE(changed.at("/organization/isOnboardingCompleted").as_bool());
  CHECK(boost::json::serialize(world.get(owner, path_of(owner)).json) == boost::json::serialize(changed.json));
  const auto bad = world.post(owner, path_of(owner), R"({"name":" ","faviconUrl":"ftp://x"})");
  CHECK(bad.text_at("/errors/0/pointer") == "/name");
  CHECK(bad.text_at("/errors/1/pointer") == "/faviconUrl");
  const auto tag = world.get(owner, path_of(owner)).head;
  const auto from = tag.find("ETag: ") + 6;
  const Fields match{{"If-Match", tag.substr(from, tag.find("\r\n", from) - from)}};
  CHECK(world.post(owner, path_of(owner), R"({"name":"Looms"})", match).status == 200);
  CHECK(world.post(owner, path_of(owner), R"({"name":"Mills"})", match).status == 412);
  CHECK(World::sql("SELECT string_agg(after->>'name', ' ' ORDER BY id) FROM audit WHERE action = 'OrganizationUpdated' "
                   "AND organization_id = '" +
                   owner.organization.text() + "'") == "Engines Looms");
}

TEST_CASE("The list of organizations is searched and sorted by name, page by page") {
  World world;
  const auto owner = world.new_owner("beta");
  for (const auto* name : {"Alpha", "gamma"})
    world.post(owner, "/api/organization", R"({"name":")" + std::string(name) + "\"}");
  const auto names = [&](const std::string& target) {
    std::string out;
    const auto answer = world.get(owner, target);
    for (const auto& each : answer.at("/organizations").as_array()) out.append(each.at("name").as_string()).append(" ");
    return out;
  };
  CHECK(names("/api/organization") == "beta Alpha gamma ");
  CHECK(names("/api/organization?sort_by=name&order=desc") == "gamma beta Alpha ");
  CHECK(names("/api/organization?search=AL") == "Alpha ");
  const auto head = world.get(owner, "/api/organization?sort_by=name&per_page=2").head;
  const auto from = head.find("Link: <") + 7;
  CHECK(names(head.substr(from, head.find('>', from) - from)) == "gamma ");
}

TEST_CASE("A person who is a member of none makes an organization of their own") {
  World world;
  const auto owner = world.new_owner("First");
  REQUIRE(world.del(owner, delete_path(owner, "First")).status == 204);
  Caller nobody;
  nobody.person = owner.person;
  nobody = World::signed_in(nobody);
  nobody.level = AccessLevel::Member;
  nobody.permissions = {};
  CHECK(world.get(nobody, "/api/organization").at("/organizations").as_array().empty());
  const auto made = world.post(nobody, "/api/organization", R"({"name":"Second"})");
  REQUIRE(made.status == 201);
  CHECK(world.get(nobody, "/api/organization").text_at("/organizations/0/name") == "Second");
  const auto id = *model::Uuid::parse(made.text_at("/organization/uniqueId"));
  CHECK(World::sql("SELECT access_level FROM member WHERE organization_id = '" + id.text() + "' AND person_id = '" +
                   owner.person.text() + "'") == "Owner");
  CHECK(World::sql("SELECT a.action || ' ' || (m.id = a.member_id) FROM audit a JOIN member m USING (organization_id) "
                   "WHERE a.organization_id = '" +
                   id.text() + "'") == "OrganizationCreated true");
  CHECK(world.get(nobody, "/api/organization/members").status == 403);
}

TEST_CASE("An organization ends by its name alone, and at once for everybody") {
  World world;
  const auto owner = world.new_owner("Engines & Co");
  const auto other = world.post(owner, "/api/organization", R"({"name":"Other"})");
  const auto other_id = *model::Uuid::parse(other.text_at("/organization/uniqueId"));
  const auto admin = world.new_member(owner, AccessLevel::Admin);
  REQUIRE(world.verify(owner.key, other_id).status == 200);
  CHECK(world.del(owner, path_of(owner)).text_at("/errors/0/pointer") == "?name");
  CHECK(world.del(owner, delete_path(owner, "engines & co")).status == 400);
  CHECK(world.del(admin, delete_path(owner, "Engines & Co")).status == 403);
  auto claims = admin;  // an Admin whose token says more than they are
  claims.level = AccessLevel::Owner;
  claims.permissions = PermissionSet::all();
  CHECK(world.del(claims, delete_path(owner, "Engines & Co")).status == 403);
  REQUIRE(world.verify(admin.key).status == 200);

  CHECK(world.del(owner, delete_path(owner, "Engines & Co")).status == 204);
  CHECK(World::sql("SELECT string_agg(e->>'type', ' ') FROM outbox o, jsonb_array_elements(o.changes) e WHERE "
                   "o.id = (SELECT max(id) FROM outbox) AND e->>'organizationId' = '" +
                   owner.organization.text() + "'") == "access.changed organization.deleted");
  // Its keys are of no use, in other organizations neither.
  for (const auto& key : {owner.key, admin.key}) CHECK(world.verify(key).status == 401);
  CHECK(world.verify(owner.key, other_id).status == 401);
  // Tokens that live on for a moment change nothing more, nor see it.
  CHECK(world.get(owner, path_of(owner)).status == 404);
  CHECK(world.post(owner, path_of(owner), R"({"name":"x"})").status == 403);
  CHECK(world.post(owner, "/api/rbac/roles", R"({"name":"x","permissions":[]})").status == 403);
  CHECK(world.post(owner, "/api/organization/invites", R"({"email":"a@x.example"})").status == 403);
  const auto left = world.get(owner, "/api/organization");
  CHECK(left.at("/paginationMeta/total").to_number<int>() == 1);
  CHECK(left.text_at("/organizations/0/name") == "Other");
  CHECK_THROWS(world.run(world.members.add(owner.organization, {"N", "n@x.example", {}, {}})));
}

TEST_CASE("What a deleted organization had is removed bit by bit, and nothing of others") {
  World world;
  const auto owner = world.new_owner("Engines"), other = world.new_owner("Engines");
  for (const auto& each : {owner, other}) {
    connect(each);
    for (int i = 0; i < 7; ++i) {
      world.post(each, "/api/rbac/roles", R"({"name":"r)" + std::to_string(i) + R"(","permissions":["Get:Contact"]})");
      world.new_member(each, AccessLevel::Member, {"r" + std::to_string(i)});
      const auto role = world.get(each, "/api/rbac/roles?per_page=1").text_at("/roles/0/uniqueId");
      world.post(each, "/api/organization/invites",
                 R"({"email":")" + std::to_string(i) + R"(@x.example","roles":[")" + role + "\"]}");
    }
  }
  const auto before = rows_of(other);
  REQUIRE(world.del(owner, delete_path(owner, "Engines")).status == 204);

  // Three rows a transaction, by a process that is ended again and again.
  for (int i = 0; i < 200 && !rows_of(owner).empty(); ++i) {
    removals::Worker worker(world.context(), world.database, {organizations::organizations::removal_of_organizations()},
                            [](std::string_view what) { FAIL_CHECK(what); }, {.most = 3});
    asio::co_spawn(world.context(), worker.run(), asio::detached);
    world.until([&] { return worker.stats().rows > 0 || worker.stats().finished > 0; });
    worker.stop();
    world.settle();
  }
  CHECK(rows_of(owner) == "");
  CHECK(rows_of(other) == before);
  CHECK(World::sql("SELECT count(*) FROM person WHERE id = '" + owner.person.text() + "'") == "1");
}
