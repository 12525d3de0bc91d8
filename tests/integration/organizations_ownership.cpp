// Whose an account is: passwords set with tokens, addresses that an operator vouches for, and what a take-over ends.
#include "organizations/users/ownership.hpp"
#include "tests/integration/organizations_users_bed.hpp"

using namespace parley;
using namespace parley::organizations_tests;

namespace {

Answer set_password(World& world, const std::string& token, const std::string& password) {
  return world.post_as_gateway("/api/auth/password", json_of({{"token", token}, {"password", password}}));
}

std::string issue_token(World& world, const std::string& email) {
  return world.run(organizations::users::issue_token(world.database, email, 3600)).passwordToken;
}

std::string audits_of(const model::Uuid& organization, const std::string& action) {
  return World::sql("SELECT count(*) FROM audit WHERE organization_id = '" + organization.text() + "' AND action = '" +
                    action + "'");
}

}  // namespace

TEST_CASE("Who has no password yet sets one with a token, not with an API key") {
  World world;
  const auto email = new_email();
  const auto enrolled = world.run(world.members.create_owner({"Olive", email, {}, {}}, "Engines"));
  const auto owner = World::caller_of(enrolled);
  CHECK_FALSE(world.get(owner, kUser).at("/user/hasPassword").as_bool());
  const auto refused = world.post(owner, kUser, json_of({{"password", "a first password"}}));
  CHECK(refused.status == 403);
  CHECK(refused.text_at("/errors/0/pointer") == "/password");
  CHECK(world.post(owner, kUser, json_of({{"password", "a first password"}, {"oldPassword", ""}})).status == 403);
  CHECK(sign_in(world, email, "a first password").status == 401);

  const auto& token = enrolled.passwordToken.value();
  CHECK(set_password(world, token, "short").text_at("/errors/0/pointer") == "/password");
  CHECK(set_password(world, token, "a first password").status == 204);
  CHECK(world.get(owner, kUser).at("/user/hasPassword").as_bool());
  CHECK(sign_in(world, email, "a first password").status == 200);
  CHECK(world.post(owner, kUser, json_of({{"password", "a second password"}})).status == 400);
  CHECK(audits_of(owner.organization, "PasswordChanged") == "1");
  // Who has a password gets no token, unless it is asked for.
  CHECK_FALSE(world.run(world.members.create_owner({"Olive", email, {}, {}}, "Others")).passwordToken);
}

TEST_CASE("Tokens for a password that are unknown, malformed, expired, replaced or used are refused alike") {
  World world;
  const auto email = new_email();
  const auto first = *world.run(world.members.create_owner({"Olive", email, {}, {}}, "Engines")).passwordToken;
  const auto refused = [&](const std::string& token) {
    const auto answer = set_password(world, token, "another password");
    CHECK(answer.status == 400);
    CHECK(answer.text_at("/errors/0/pointer") == "/token");
    return answer.text_at("/detail");
  };
  const auto said = refused("nonsense");
  auto mixed = *organizations::users::PasswordToken::parse(first);
  CHECK(refused(organizations::users::PasswordToken::create(mixed.person_id).text()) == said);
  mixed.person_id = model::new_uuid();
  CHECK(refused(mixed.text()) == said);
  const auto second = issue_token(world, email);
  CHECK(refused(first) == said);
  CHECK(World::sql("SELECT count(*) FROM password_token t WHERE strpos(t::text, '" +
                   organizations::users::PasswordToken::parse(second)->secret + "') > 0") == "0");
  World::sql("UPDATE password_token SET expires_at = now()");
  CHECK(refused(second) == said);
  const auto third = issue_token(world, email);
  const auto made = set_password(world, third, "a first password");
  CHECK(made.status == 204);
  CHECK(refused(third) == said);
  CHECK(sign_in(world, email, "a first password").status == 200);
}

TEST_CASE("A token in place of a forgotten password ends the sessions, and the keys of who was not vouched for") {
  World world;
  world.client_address = "198.51.100.24";
  const auto key_after = [&](const std::string& email, const Caller& caller) {
    const auto key = world.post(caller, "/api/auth/api-keys", R"({"name":"a key"})").text_at("/apiKey/key");
    const auto session = sign_in(world, email).text_at("/session/token");
    CHECK(set_password(world, issue_token(world, email), "another password").status == 204);
    CHECK(verify(world, session).status == 401);
    CHECK(sign_in(world, email).status == 401);
    CHECK(sign_in(world, email, "another password").status == 200);
    return world.verify(key).status;
  };
  const auto email = new_email();
  const auto caller = caller_of(verify(world, sign_up(world, email, "Engines").text_at("/session/token")));
  CHECK(key_after(email, caller) == 401);
  CHECK(audits_of(caller.organization, "ApiKeyDeleted") == "1");

  const auto vouched = new_email();
  const auto enrolled = world.run(world.members.create_owner({"Olive", vouched, {}, {}}, "Engines"));
  CHECK(set_password(world, *enrolled.passwordToken, kPassword).status == 204);
  CHECK(key_after(vouched, World::caller_of(enrolled)) == 200);
}

TEST_CASE("Whoever accepts an invitation while an operator makes the person gets nothing of what the operator makes") {
  World world;
  world.client_address = "198.51.100.25";
  for (int round = 0; round < 8; ++round) {
    const auto host = world.new_owner();
    const auto email = new_email();
    const auto token =
        world.post(host, "/api/organization/invites", json_of({{"email", email}, {"accessLevel", "Admin"}}))
            .text_at("/token");
    std::optional<organizations::members::Enrolled> made;
    const auto operate = [](World& in, std::string address, auto& out) -> awaitable<Answer> {
      out = co_await in.members.create_owner({"Olive", address, {}, {}}, "Victim");
      co_return Answer{};
    };
    std::vector<awaitable<Answer>> works;
    works.push_back(world.ask_as_gateway("/api/auth/join-organization",
                                         json_of({{"token", token}, {"name", "Mallory"}, {"password", kPassword}})));
    works.push_back(operate(world, email, made));
    const auto joined = std::move(world.run_all(std::move(works)).front());
    CHECK((joined.status == 201 || joined.status == 409));
    REQUIRE(made);
    CHECK(sign_in(world, email).status == 401);
    CHECK(World::sql("SELECT password_hash IS NULL AND address_proved_at IS NOT NULL FROM person WHERE email = '" +
                     email + "'") == "t");
    CHECK(world.verify(*made->apiKey).status == 200);
    CHECK(set_password(world, *made->passwordToken, "a first password").status == 204);
    const auto profile = sign_in(world, email, "a first password");
    CHECK(profile.text_at("/organizations/0/uniqueId") == made->organizationId.text());
  }
}

TEST_CASE("Whatever a person does while they are taken over is over with it, or was not done") {
  World world;
  world.client_address = "198.51.100.21";
  for (int round = 0; round < 8; ++round) {
    const auto email = new_email();
    const auto caller = caller_of(verify(world, sign_up(world, email, "Victim").text_at("/session/token")));
    const auto operate = [](World& in, std::string address, auto& out) -> awaitable<Answer> {
      out = co_await in.members.create_owner({"Olive", address, {}, {}}, "Victim");
      co_return Answer{};
    };
    std::optional<organizations::members::Enrolled> made;
    std::vector<awaitable<Answer>> works;
    works.push_back(world.ask(caller, http::Method::post, "/api/auth/api-keys", R"({"name":"one more"})"));
    works.push_back(world.ask(caller, http::Method::get, "/api/auth/api-keys/regenerate"));
    works.push_back(world.ask_as_gateway(kLogin, json_of({{"email", email}, {"password", kPassword}})));
    works.push_back(world.ask(caller, http::Method::post, kUser,
                              json_of({{"password", "another password"}, {"oldPassword", kPassword}})));
    works.push_back(world.ask(caller, http::Method::post, "/api/organization", R"({"name":"Victim"})"));
    works.insert(works.begin() + round % 5, operate(world, email, made));
    const auto answers = world.run_all(std::move(works));
    REQUIRE(made);
    CHECK(world.run(world.members.create_owner({"Olive", email, {}, {}}, "Victim")).organizationId ==
          made->organizationId);
    CHECK(World::sql("SELECT count(*) FROM credential c JOIN member m ON m.id = c.member_id WHERE m.person_id = '" +
                     caller.person.text() + "' AND c.revoked_at IS NULL") == "1");  // the operator's
    CHECK(World::sql("SELECT count(*) FROM session WHERE person_id = '" + caller.person.text() + "'") == "0");
    CHECK(World::sql("SELECT password_hash IS NULL FROM person WHERE id = '" + caller.person.text() + "'") == "t");
    // What a gateway remembers of the session for a moment is worth nothing.
    CHECK(world.post(caller, "/api/auth/api-keys", R"({"name":"late"})").status == 401);
    CHECK(world.get(caller, "/api/auth/api-keys/regenerate").status == 401);
    CHECK(world.post(caller, "/api/organization", R"({"name":"Victim"})").status == 401);
    CHECK(world.post(caller, kUser, json_of({{"password", "another password"}})).status == 403);
  }
}
