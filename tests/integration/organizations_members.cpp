// Members and what they may do: lists, changes, leaving, and who may do that to whom.
#include <algorithm>

#include "tests/integration/organizations_world.hpp"

using namespace parley;
using namespace parley::organizations_tests;
using model::AccessLevel;

namespace {

constexpr auto kMembers = "/api/organization/members";
constexpr auto kRoles = "/api/rbac/roles";

std::string path_of(const Caller& member) { return std::string(kMembers) + "/" + member.member.text(); }

std::string levels_body(std::string_view level) { return R"({"accessLevel":")" + std::string(level) + "\"}"; }

std::string emails(const Answer& answer) {
  std::string out;
  for (const auto& member : answer.at("/members").as_array()) out.append(member.at("email").as_string()).append(" ");
  return out;
}

// An organization whose members have these addresses, in this order; the first is the Owner.
struct Team {
  World& world;
  Caller owner;
  // Without letters that a search in the tests could find.
  std::string domain = "@" + std::to_string(std::hash<model::Uuid>()(model::new_uuid())) + ".example";

  explicit Team(World& world_) : world(world_) {
    owner = World::caller_of(world.run(world.members.create_owner({"Zoe", "zoe" + domain, {}, {}}, "Team")));
  }
  Caller add(const std::string& name, AccessLevel level, std::vector<std::string> roles = {}) {
    return World::caller_of(
        world.run(world.members.add(owner.organization, {name, name + domain, level, std::move(roles)})), level);
  }
  std::string list(const std::string& query) {
    auto text = emails(world.get(owner, std::string(kMembers) + query));
    for (auto at = text.find(domain); at != text.npos; at = text.find(domain)) text.erase(at, domain.size());
    return text;
  }
  std::string role(const std::string& name, const std::string& permissions) {
    return world.post(owner, kRoles, R"({"name":")" + name + R"(","permissions":[)" + permissions + "]}")
        .text_at("/role/uniqueId");
  }
};

// As a Member who holds what these roles do, by the gateway's token.
Caller holding(Caller caller, std::initializer_list<Permission> permissions) {
  caller.level = AccessLevel::Member;
  caller.permissions = {};
  for (const auto permission : permissions) caller.permissions.add(permission);
  return caller;
}

std::string events_of(const Caller& caller) {
  return World::sql(
      "SELECT coalesce(string_agg(e->>'type' || ' ' || coalesce(e->>'memberId', 'all'), ', ' ORDER BY o.id), '') "
      "FROM outbox o, jsonb_array_elements(o.changes) e WHERE e->>'organizationId' = '" +
      caller.organization.text() + "' AND e->>'personId' IS NULL");
}

std::string owners_of(const Caller& caller) {
  return World::sql("SELECT count(*) FROM member WHERE access_level = 'Owner' AND organization_id = '" +
                    caller.organization.text() + "'");
}

}  // namespace

TEST_CASE("Members are listed, searched, filtered, sorted and paged") {
  World world;
  Team team(world);
  const auto reader = team.role("Reader", R"("Get:Contact")");
  team.add("bob", AccessLevel::Admin);
  team.add("Ada", AccessLevel::Member, {"Reader"});
  team.add("carl", AccessLevel::Member);
  Team(world).add("ada", AccessLevel::Member);  // somebody else's

  CHECK(team.list("") == "zoe bob Ada carl ");
  CHECK(team.list("?order=desc") == "carl Ada bob zoe ");
  CHECK(team.list("?sort_by=email") == "Ada bob carl zoe ");
  CHECK(team.list("?sort_by=name&order=desc") == "zoe carl bob Ada ");
  CHECK(team.list("?search=AD") == "Ada ");
  CHECK(team.list("?search=%25") == "");
  CHECK(team.list("?access_level=Member") == "Ada carl ");
  CHECK(team.list("?role_id=" + reader) == "Ada ");
  CHECK(team.list("?role_id=" + reader + "&access_level=Admin") == "");
  CHECK(team.list("?skip=1&per_page=2") == "bob Ada ");
  const auto page = world.get(team.owner, std::string(kMembers) + "?page=2&per_page=2&access_level=Member");
  CHECK(boost::json::serialize(page.at("/paginationMeta")) == R"({"page":2,"per_page":2,"total":2,"nextCursor":null})");

  // By cursors, each member once, whatever the order.
  for (const std::string order :
       {"sort_by=createdAt", "sort_by=name", "sort_by=email&order=desc", "sort_by=name&order=desc"}) {
    std::string walked, target = std::string(kMembers) + "?per_page=1&" + order;
    for (int i = 0; i < 6 && !target.empty(); ++i) {
      const auto answer = world.get(team.owner, target);
      walked += emails(answer);
      const auto from = answer.head.find("Link: <");
      target = from == answer.head.npos ? "" : answer.head.substr(from + 7, answer.head.find('>', from) - from - 7);
    }
    CHECK(walked == emails(world.get(team.owner, std::string(kMembers) + "?" + order)));
  }
  const auto first = world.get(team.owner, std::string(kMembers) + "?per_page=1&sort_by=name");
  const auto from = first.head.find("cursor=");
  const auto cursor = first.head.substr(from, first.head.find('>', from) - from);
  CHECK(world.get(team.owner, std::string(kMembers) + "?sort_by=email&" + cursor).text_at("/errors/0/pointer") ==
        "?cursor");
}

TEST_CASE("A member is read with their roles, and answers as unknown elsewhere") {
  World world;
  Team team(world);
  team.role("Reader", R"("Get:Contact")");
  const auto ada = team.add("ada", AccessLevel::Member, {"Reader"});
  const auto read = world.get(team.owner, path_of(ada));
  REQUIRE(read.status == 200);
  CHECK(read.text_at("/member/email") == "ada" + team.domain);
  CHECK(read.text_at("/member/roles/0/permissions/0") == "Get:Contact");
  const auto tag = read.head.substr(read.head.find("ETag: ") + 6,
                                    read.head.find("\r\n", read.head.find("ETag: ")) - read.head.find("ETag: ") - 6);
  CHECK(world.get(team.owner, path_of(ada), {{"If-None-Match", tag}}).status == 304);
  const auto stranger = world.new_owner();
  CHECK(world.get(stranger, path_of(ada)).status == 404);
  CHECK(world.post(stranger, path_of(ada), levels_body("Admin")).status == 404);
  CHECK(world.del(stranger, path_of(ada)).status == 404);
  CHECK(world.get(team.owner, std::string(kMembers) + "/nonsense").status == 404);
  CHECK(world.get(holding(team.owner, {Permission::get_contact}), path_of(ada)).status == 403);
}

TEST_CASE("Rights are changed, told of and audited in one; nothing changed is nothing told") {
  World world;
  Team team(world);
  const auto reader = team.role("Reader", R"("Get:Contact")"), writer = team.role("Writer", R"("Create:Contact")");
  const auto ada = team.add("ada", AccessLevel::Member, {"Reader"});
  const auto changed = world.post(team.owner, path_of(ada),
                                  R"({"accessLevel":"Admin","roles":[")" + writer + R"(",")" + writer + "\"]}");
  REQUIRE(changed.status == 200);
  CHECK(changed.text_at("/member/accessLevel") == "Admin");
  CHECK(changed.at("/member/roles").as_array().size() == 1);
  CHECK(changed.text_at("/member/roles/0/name") == "Writer");
  CHECK(events_of(team.owner) == "access.changed " + ada.member.text());
  CHECK(world.post(team.owner, path_of(ada), levels_body("Admin")).status == 200);
  CHECK(world.post(team.owner, path_of(ada), "{}").status == 200);
  CHECK(events_of(team.owner) == "access.changed " + ada.member.text());

  const auto entry =
      "FROM audit WHERE action = 'MemberUpdated' AND organization_id = '" + team.owner.organization.text() + "'";
  CHECK(World::sql("SELECT count(*) " + entry) == "1");
  CHECK(World::sql("SELECT (before->>'accessLevel') || (before#>>'{roles,0,uniqueId}') || (after->>'accessLevel') || "
                   "(after#>>'{roles,0,uniqueId}') " +
                   entry) == "Member" + reader + "Admin" + writer);
  CHECK(World::sql("SELECT member_email || ' ' || subject || ' ' || host(address::inet) || ' ' || credential_id " +
                   entry) ==
        "zoe" + team.domain + " ada" + team.domain + " " + std::string(kClientAddress) + " " + team.owner.credential);
}

TEST_CASE("Bad changes name what is wrong and change nothing") {
  World world;
  Team team(world);
  const auto ada = team.add("ada", AccessLevel::Member);
  const auto foreign = Team(world).role("Theirs", R"("Get:Contact")");
  CHECK(world.post(team.owner, path_of(ada), levels_body("Boss")).text_at("/errors/0/pointer") == "/accessLevel");
  CHECK(world.post(team.owner, path_of(ada), R"({"roles":["x"]})").text_at("/errors/0/pointer") == "/roles/0");
  const auto refused = world.post(team.owner, path_of(ada), R"({"roles":[")" + foreign + "\"]}");
  CHECK(refused.status == 400);
  CHECK(refused.text_at("/errors/0/pointer") == "/roles/0");
  CHECK(world.post(team.owner, path_of(ada), levels_body("Admin"), {{"If-Match", "\"other\""}}).status == 412);
  CHECK(world.get(team.owner, path_of(ada)).text_at("/member/accessLevel") == "Member");
}

TEST_CASE("Nobody grants what they lack, nor changes who stands above them") {
  World world;
  Team team(world);
  const auto reader = team.role("Reader", R"("Get:Contact")");
  const auto manager = team.role("Manager", R"("Update:OrganizationMember","Delete:OrganizationMember","Get:List")");
  const auto admin =
      World::caller_of({team.owner.organization, team.add("admin", AccessLevel::Admin).member, {}}, AccessLevel::Admin);
  const auto ada = team.add("ada", AccessLevel::Member, {"Manager"});
  const auto bob = team.add("bob", AccessLevel::Member, {"Reader"});
  auto lister = holding(
      ada, {Permission::update_organization_member, Permission::delete_organization_member, Permission::get_list});

  CHECK(world.post(admin, path_of(bob), levels_body("Owner")).status == 403);
  CHECK(world.post(admin, path_of(team.owner), levels_body("Member")).status == 403);
  CHECK(world.del(admin, path_of(team.owner)).status == 403);
  CHECK(world.post(lister, path_of(bob), levels_body("Admin")).text_at("/errors/0/pointer") == "/accessLevel");
  CHECK(world.post(lister, path_of(admin), R"({"roles":[]})").status == 403);
  CHECK(world.del(lister, path_of(admin)).status == 403);
  // Reader holds Get:Contact, which they lack: neither for others nor for themselves.
  const auto refused = world.post(lister, path_of(ada), R"({"roles":[")" + manager + R"(",")" + reader + "\"]}");
  CHECK(refused.status == 403);
  CHECK(refused.text_at("/errors/0/pointer") == "/roles/1");
  CHECK(refused.text_at("/detail").find("Get:Contact") != std::string::npos);
  // What bob has already they may leave him, and give him what they hold; nor do they take what they lack.
  CHECK(world.post(lister, path_of(bob), R"({"roles":[")" + reader + R"(",")" + manager + "\"]}").status == 200);
  CHECK(world.post(lister, path_of(bob), R"({"roles":[")" + manager + "\"]}").status == 403);
  CHECK(world.post(lister, path_of(bob), R"({"roles":[")" + reader + "\"]}").status == 200);
  // The token is older than the change that took it from them.
  CHECK(world.post(team.owner, path_of(ada), R"({"roles":[]})").status == 200);
  CHECK(world.post(lister, path_of(bob), R"({"roles":[]})").status == 403);
  CHECK(world.del(lister, path_of(bob)).status == 403);
  CHECK(world.post(admin, path_of(bob), levels_body("Admin")).status == 200);
}

TEST_CASE("A removed member's keys are refused, and what they were asked with tells no more") {
  World world;
  Team team(world);
  const auto ada = team.add("ada", AccessLevel::Admin);
  REQUIRE(world.verify(ada.key).status == 200);
  CHECK(world.del(team.owner, path_of(ada)).status == 204);
  CHECK(world.verify(ada.key).status == 401);
  CHECK(events_of(team.owner) == "access.changed " + ada.member.text());
  CHECK(world.del(team.owner, path_of(ada)).status == 404);
  CHECK(world.get(team.owner, path_of(ada)).status == 404);
  // Their token may live on for a moment.
  CHECK(world.post(ada, kRoles, R"({"name":"x","permissions":[]})").status == 403);
  CHECK(world.del(ada, path_of(team.owner)).status == 403);
  CHECK(World::sql("SELECT subject FROM audit WHERE action = 'MemberRemoved' AND organization_id = '" +
                   team.owner.organization.text() + "'") == "ada" + team.domain);
}

TEST_CASE("Whoever wants to leaves, without a permission, but for the last Owner") {
  World world;
  Team team(world);
  const auto ada = holding(team.add("ada", AccessLevel::Member), {});
  const auto bob = team.add("bob", AccessLevel::Member);
  CHECK(world.del(ada, path_of(bob)).status == 403);
  CHECK(world.del(ada, path_of(ada)).status == 204);
  for (const auto* body : {"Admin", "Member"}) {
    const auto refused = world.post(team.owner, path_of(team.owner), levels_body(body));
    CHECK(refused.status == 409);
    CHECK(refused.text_at("/detail").find("last Owner") != std::string::npos);
  }
  CHECK(world.del(team.owner, path_of(team.owner)).status == 409);
  CHECK(world.post(team.owner, path_of(bob), levels_body("Owner")).status == 200);
  CHECK(world.del(team.owner, path_of(team.owner)).status == 204);
  CHECK(owners_of(team.owner) == "1");
}

TEST_CASE("Owners who depose each other at the same time leave one") {
  World world;
  for (int round = 0; round < 12; ++round) {
    Team team(world);
    std::vector<Caller> owners{team.owner};
    for (int i = 0; i < 3; ++i) owners.push_back(team.add("owner" + std::to_string(i), AccessLevel::Owner));
    std::vector<awaitable<Answer>> at_once;
    for (std::size_t i = 0; i < owners.size(); ++i) {
      const auto& other = owners[(i + 1) % owners.size()];
      if (round % 3 == 0)
        at_once.push_back(world.ask(owners[i], http::Method::post, path_of(other), levels_body("Member")));
      else if (round % 3 == 1)
        at_once.push_back(world.ask(owners[i], http::Method::del, path_of(other)));
      else
        at_once.push_back(world.ask(owners[i], http::Method::del, path_of(owners[i])));
    }
    const auto answers = world.run_all(std::move(at_once));
    CHECK(std::stoi(owners_of(team.owner)) >= 1);
    for (const auto& answer : answers) {
      INFO(answer.text);
      CHECK((answer.status == 200 || answer.status == 204 || answer.status == 403 || answer.status == 409));
    }
    // All of them leave: the last one has to stay.
    if (round % 3 == 2)
      CHECK(std::count_if(answers.begin(), answers.end(), [](auto& answer) { return answer.status == 409; }) == 1);
  }
}
