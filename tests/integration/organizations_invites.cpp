// Invitations: who makes them, what they grant, and that each is accepted once.
#include <algorithm>

#include "tests/integration/organizations_world.hpp"

using namespace parley;
using namespace parley::organizations_tests;
using model::AccessLevel;

namespace {

constexpr auto kInvites = "/api/organization/invites";
constexpr auto kJoin = "/api/auth/join-organization";
constexpr auto kPassword = "correct horse";

std::string new_email() { return model::new_uuid().text() + "@x.example"; }

Answer invite(World& world, const Caller& caller, const std::string& email, const std::string& more = "") {
  return world.post(caller, kInvites, R"({"email":")" + email + '"' + more + "}");
}

std::string join_body(const std::string& token, const std::string& password = kPassword) {
  return R"({"token":")" + token + R"(","name":"Grace","password":")" + password + "\"}";
}

std::string make_role(World& world, const Caller& owner, const std::string& name, const std::string& permissions) {
  return world.post(owner, "/api/rbac/roles", R"({"name":")" + name + R"(","permissions":[)" + permissions + "]}")
      .text_at("/role/uniqueId");
}

std::string members_with(const std::string& email) {
  return World::sql("SELECT count(*) FROM member m JOIN person p ON p.id = m.person_id WHERE p.email = '" + email +
                    "'");
}

}  // namespace

TEST_CASE("An invitation lets a stranger in once, as what it grants") {
  World world;
  const auto owner = world.new_owner("Engines");
  const auto role = make_role(world, owner, "Reader", R"("Get:Contact")");
  const auto email = new_email();
  const auto made = invite(world, owner, email, R"(,"accessLevel":"Admin","roles":[")" + role + "\"]");
  REQUIRE(made.status == 201);
  CHECK(made.has_header("Cache-Control: no-store"));
  const auto path = std::string(kInvites) + "/" + made.text_at("/invite/uniqueId");
  CHECK(made.has_header("Location: " + path));
  CHECK(made.text_at("/invite/status") == "Pending");
  CHECK(made.text_at("/invite/roles/0/name") == "Reader");
  const auto token = made.text_at("/token");
  CHECK(world.get(owner, path).text.find(token) == std::string::npos);
  CHECK(World::sql("SELECT count(*) FROM invite i WHERE i::text LIKE '%" + token.substr(80, 40) + "%'") == "0");

  CHECK(world.post_as_gateway(kJoin, R"({"token":")" + token + "\"}").text_at("/errors/0/pointer") == "/name");
  const auto joined = world.post_as_gateway(kJoin, join_body(token));
  REQUIRE(joined.status == 201);
  CHECK(joined.text_at("/organization/name") == "Engines");
  CHECK(joined.text_at("/member/email") == email);
  CHECK(joined.text_at("/member/accessLevel") == "Admin");
  CHECK(joined.text_at("/member/roles/0/name") == "Reader");
  CHECK(world.get(owner, path).text_at("/invite/status") == "Accepted");
  CHECK(world.post_as_gateway(kJoin, join_body(token)).status == 400);
  CHECK(world.del(owner, path).status == 409);
  // They sign in with what they chose.
  const auto login =
      world.post_as_gateway("/api/auth/login", R"({"email":")" + email + R"(","password":")" + kPassword + "\"}");
  CHECK(login.status == 200);
  CHECK(World::sql("SELECT count(*) FROM audit WHERE action = 'MemberJoined' AND member_email = '" + email +
                   "' AND address = '" + std::string(kClientAddress) + "' AND after->>'accessLevel' = 'Admin'") == "1");
}

TEST_CASE("Tokens that are unknown, malformed, expired, revoked or used are refused alike") {
  World world;
  const auto owner = world.new_owner();
  const auto refused = [&](const std::string& token) {
    const auto answer = world.post_as_gateway(kJoin, join_body(token));
    CHECK(answer.status == 400);
    CHECK(answer.text_at("/errors/0/pointer") == "/token");
    return answer.text_at("/detail");
  };
  const auto said = refused("nonsense");
  auto unknown = organizations::invites::Token::create(owner.organization, model::new_uuid());
  CHECK(refused(unknown.text()) == said);
  const auto expired = invite(world, owner, new_email());
  unknown.invite_id = *model::Uuid::parse(expired.text_at("/invite/uniqueId"));
  CHECK(refused(unknown.text()) == said);  // another secret
  World::sql("UPDATE invite SET expires_at = now() WHERE id = '" + expired.text_at("/invite/uniqueId") + "'");
  CHECK(refused(expired.text_at("/token")) == said);
  CHECK(world.get(owner, std::string(kInvites) + "?status=Expired").at("/paginationMeta/total").to_number<int>() == 1);
  const auto revoked = invite(world, owner, new_email());
  const auto path = std::string(kInvites) + "/" + revoked.text_at("/invite/uniqueId");
  CHECK(world.del(world.new_owner(), path).status == 404);
  CHECK(world.del(owner, path).status == 204);
  CHECK(world.del(owner, path).status == 404);
  CHECK(refused(revoked.text_at("/token")) == said);
}

TEST_CASE("A token that many use at once makes one member") {
  World world;
  const auto owner = world.new_owner();
  const auto email = new_email();
  const auto token = invite(world, owner, email).text_at("/token");
  std::vector<awaitable<Answer>> at_once;
  for (int i = 0; i < 8; ++i) at_once.push_back(world.ask_as_gateway(kJoin, join_body(token)));
  const auto answers = world.run_all(std::move(at_once));
  CHECK(std::count_if(answers.begin(), answers.end(), [](auto& answer) { return answer.status == 201; }) == 1);
  CHECK(std::count_if(answers.begin(), answers.end(), [](auto& answer) { return answer.status == 400; }) == 7);
  CHECK(members_with(email) == "1");
}

TEST_CASE("Who has an account joins with it, and nobody else in their stead") {
  World world;
  const auto owner = world.new_owner(), guest = world.new_owner("Guest's");
  const auto email = World::sql("SELECT email FROM person WHERE id = '" + guest.person.text() + "'");
  auto shouted = email;
  std::transform(shouted.begin(), shouted.end(), shouted.begin(), [](unsigned char c) { return std::toupper(c); });
  const auto token = invite(world, owner, shouted).text_at("/token");
  // Not by making the account anew, which would be taking it over.
  CHECK(world.post_as_gateway(kJoin, join_body(token)).status == 409);
  const auto stranger = world.new_owner();
  CHECK(world.post(stranger, kJoin, R"({"token":")" + token + "\"}").status == 403);
  CHECK(members_with(email) == "1");
  const auto joined = world.post(guest, kJoin, R"({"token":")" + token + "\"}");
  REQUIRE(joined.status == 201);
  CHECK(joined.text_at("/member/email") == email);
  CHECK(members_with(email) == "2");
  CHECK(world.verify(guest.key, owner.organization).text_at("/memberId") == joined.text_at("/member/uniqueId"));
  // A member already.
  CHECK(invite(world, owner, email).status == 409);
}

TEST_CASE("An address has one open invitation, and another once that has expired or was revoked") {
  World world;
  const auto owner = world.new_owner();
  const auto email = new_email();
  const auto first = invite(world, owner, email);
  REQUIRE(first.status == 201);
  auto again = invite(world, owner, email);
  CHECK(again.status == 409);
  CHECK(again.text_at("/errors/0/pointer") == "/email");
  CHECK(invite(world, world.new_owner(), email).status == 201);
  World::sql("UPDATE invite SET expires_at = now() WHERE id = '" + first.text_at("/invite/uniqueId") + "'");
  CHECK(invite(world, owner, email).status == 201);

  const auto crowd = new_email();
  std::vector<awaitable<Answer>> at_once;
  for (int i = 0; i < 6; ++i)
    at_once.push_back(world.ask(owner, http::Method::post, kInvites, R"({"email":")" + crowd + "\"}"));
  const auto answers = world.run_all(std::move(at_once));
  CHECK(std::count_if(answers.begin(), answers.end(), [](auto& answer) { return answer.status == 201; }) == 1);
  CHECK(std::count_if(answers.begin(), answers.end(), [](auto& answer) { return answer.status == 409; }) == 5);
}

TEST_CASE("Nobody invites to more than they have, and what they offered ends with their rights") {
  World world;
  const auto owner = world.new_owner();
  make_role(world, owner, "Inviter", R"("Create:OrganizationMember")");
  const auto reader = make_role(world, owner, "Reader", R"("Get:Contact")");
  const auto admin = world.new_member(owner, AccessLevel::Admin);
  const auto inviter = world.new_member(owner, AccessLevel::Member, {"Inviter"});
  CHECK(invite(world, admin, new_email(), R"(,"accessLevel":"Owner")").status == 403);
  CHECK(invite(world, inviter, new_email(), R"(,"accessLevel":"Admin")").text_at("/errors/0/pointer") ==
        "/accessLevel");
  const auto refused = invite(world, inviter, new_email(), R"(,"roles":[")" + reader + "\"]");
  CHECK(refused.status == 403);
  CHECK(refused.text_at("/errors/0/pointer") == "/roles/0");
  CHECK(invite(world, owner, new_email(), R"(,"roles":[")" + model::new_uuid().text() + "\"]").status == 400);
  for (const auto* bad : {"", "nobody", "a b@x.example", "@x.example"})
    CHECK(invite(world, owner, bad).text_at("/errors/0/pointer") == "/email");
  CHECK(world.post(world.new_member(owner, AccessLevel::Member), kInvites, "{}").status == 403);

  const auto offered = invite(world, admin, new_email(), R"(,"accessLevel":"Admin")");
  REQUIRE(offered.status == 201);
  CHECK(world.post(owner, "/api/organization/members/" + admin.member.text(), R"({"accessLevel":"Member"})").status ==
        200);
  CHECK(world.post_as_gateway(kJoin, join_body(offered.text_at("/token"))).status == 400);
}

TEST_CASE("Invitations are listed, searched and filtered; their answer with a token is not kept") {
  World world;
  const auto owner = world.new_owner();
  const auto domain = model::new_uuid().text() + ".example";
  for (const auto* name : {"carl", "Ada", "bob"})
    REQUIRE(invite(world, owner, std::string(name) + "@" + domain).status == 201);
  const auto list = [&](const std::string& query) {
    std::string out;
    const auto answer = world.get(owner, kInvites + query);
    for (const auto& each : answer.at("/invites").as_array()) {
      const std::string email(each.at("email").as_string());
      out += email.substr(0, email.find('@')) + " ";
    }
    return out + std::to_string(answer.at("/paginationMeta/total").to_number<int>());
  };
  CHECK(list("") == "carl Ada bob 3");
  CHECK(list("?sort_by=email&order=desc") == "carl bob Ada 3");
  CHECK(list("?search=ADA@") == "Ada 1");
  CHECK(list("?status=Accepted") == "0");
  CHECK(list("?status=Pending&skip=1&limit=1") == "Ada 3");

  const Fields key{{"Idempotency-Key", model::new_uuid().text()}};
  const auto body = R"({"email":")" + new_email() + "\"}";
  CHECK(world.post(owner, kInvites, body, key).status == 201);
  const auto repeated = world.post(owner, kInvites, body, key);
  CHECK(repeated.status == 409);
  CHECK(repeated.text_at("/detail").find("shown once") != std::string::npos);
}
