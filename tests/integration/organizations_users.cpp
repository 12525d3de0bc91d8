// People: signing up, in and out, their sessions and passwords.
#include "tests/integration/organizations_users_bed.hpp"

using namespace parley;
using namespace parley::organizations_tests;

namespace {

std::int64_t events_with(const std::string& id) {
  return std::stoll(World::sql("SELECT count(*) FROM outbox WHERE strpos(changes::text, '" + id + "') > 0"));
}

}  // namespace

TEST_CASE("Who signs up has an account, a session, and the organization that they named") {
  World world;
  const auto email = new_email();
  const auto made = sign_up(world, email, "Engines of Ada");
  REQUIRE(made.status == 201);
  CHECK(made.has_header("Cache-Control: no-store"));
  CHECK(made.has_header("Location: /api/user"));
  CHECK(made.text_at("/user/email") == email);
  CHECK(made.at("/user/hasPassword").as_bool());
  CHECK(made.text_at("/organizations/0/name") == "Engines of Ada");
  CHECK(made.text_at("/organizations/0/accessLevel") == "Owner");
  const auto verdict = verify(world, made.text_at("/session/token"));
  REQUIRE(verdict.status == 200);
  CHECK(verdict.text_at("/organizationId") == made.text_at("/organizations/0/uniqueId"));
  CHECK(verdict.text_at("/memberId") == made.text_at("/organizations/0/memberId"));
  CHECK(verdict.text_at("/personId") == made.text_at("/user/uniqueId"));
  CHECK(verdict.text_at("/accessLevel") == "Owner");
  CHECK(verdict.at("/goodForMs").as_int64() > 0);
  CHECK(World::sql("SELECT action || ' ' || address || ' ' || member_email FROM audit WHERE organization_id = '" +
                   made.text_at("/organizations/0/uniqueId") + "'") == "OrganizationCreated 192.0.2.7 " + email);
  // The address is taken now, whatever the case of its letters.
  CHECK(sign_up(world, email).status == 409);
  auto upper = email;
  for (auto& c : upper) c = static_cast<char>(std::toupper(c));
  const auto taken = sign_up(world, upper);
  CHECK(taken.status == 409);
  CHECK(taken.text_at("/errors/0/pointer") == "/email");
  CHECK(World::sql("SELECT count(*) FROM person WHERE lower(email) = '" + email + "'") == "1");
  CHECK(World::sql("SELECT count(*) FROM person WHERE strpos(password_hash, '" + kPassword + "') > 0") == "0");
}

TEST_CASE("A person of no organization is a person all the same") {
  World world;
  const auto made = sign_up(world, new_email());
  REQUIRE(made.status == 201);
  CHECK(made.at("/organizations").as_array().empty());
  const auto verdict = verify(world, made.text_at("/session/token"));
  REQUIRE(verdict.status == 200);
  const auto caller = caller_of(verdict);
  CHECK(caller.organization.is_nil());
  CHECK(verdict.text_at("/permissions") == "0");
  CHECK(world.get(caller, kUser).text_at("/user/uniqueId") == made.text_at("/user/uniqueId"));
  CHECK(world.get(caller, "/api/organization").at("/organizations").as_array().empty());
  CHECK(world.get(caller, "/api/rbac/permissions").status == 403);
  CHECK(world.get(caller, "/api/auth/api-keys").status == 403);
  CHECK(verify(world, made.text_at("/session/token"), model::new_uuid()).status == 403);
}

TEST_CASE("What is wrong with a sign-up is said of its field") {
  World world;
  const auto pointer = [&](const std::string& body) {
    const auto answer = world.post_as_gateway(kRegister, body);
    CHECK(answer.status == 400);
    return answer.text_at("/errors/0/pointer");
  };
  CHECK(pointer(json_of({{"name", " "}, {"email", new_email()}, {"password", kPassword}})) == "/name");
  for (const std::string bad : {"nobody", "@x.example", "a@", "a b@x.example", "a@x.example\n", ""})
    CHECK(pointer(json_of({{"name", "A"}, {"email", bad}, {"password", kPassword}})) == "/email");
  CHECK(pointer(json_of({{"name", "A"}, {"email", std::string(250, 'a') + "@x.example"}, {"password", kPassword}})) ==
        "/email");
  CHECK(pointer(json_of({{"name", "A"}, {"email", new_email()}, {"password", "short"}})) == "/password");
  CHECK(pointer(json_of({{"name", "A"}, {"email", new_email()}, {"password", std::string(257, 'x')}})) == "/password");
  CHECK(pointer(json_of({{"name", "A"}, {"email", new_email()}, {"password", kPassword}, {"organizationName", ""}})) ==
        "/organizationName");
  CHECK(pointer(R"({"name":"A"})") == "/email");
}

TEST_CASE("Sign-up and sign-in are asked for by the gateway in its own name, and by nobody else") {
  World world;
  const auto owner = world.new_owner();
  CHECK(world.post(owner, kLogin, json_of({{"email", "a@x.example"}, {"password", kPassword}})).status == 404);
  CHECK(world.post(owner, kRegister, "{}").status == 404);
}

TEST_CASE("Signing in: the right password opens a session, all else is one same 401") {
  World world;
  const auto email = new_email();
  const auto made = sign_up(world, email, "Engines");
  const auto opened = sign_in(world, email);
  REQUIRE(opened.status == 200);
  CHECK(opened.has_header("Cache-Control: no-store"));
  CHECK(opened.text_at("/session/token") != made.text_at("/session/token"));
  CHECK(boost::json::serialize(opened.at("/user")) == boost::json::serialize(made.at("/user")));
  CHECK(verify(world, opened.text_at("/session/token")).status == 200);
  CHECK(verify(world, made.text_at("/session/token")).status == 200);

  const auto wrong = sign_in(world, email, "incorrect horse");
  const auto nobody = sign_in(world, new_email());
  // Made by a command: without a password there is no way in, not even by the empty one.
  const auto by_command = new_email();
  world.run(world.members.create_owner({"Olive", by_command, {}, {}}, "By command"));
  const auto without = sign_in(world, by_command, "");
  for (const auto* answer : {&wrong, &nobody, &without}) {
    CHECK(answer->status == 401);
    CHECK(answer->text_at("/detail") == wrong.text_at("/detail"));
    CHECK(answer->at("/errors").as_array().empty());
    CHECK(answer->head.find("WWW-Authenticate: Bearer") != answer->head.npos);
  }
  CHECK(World::sql("SELECT count(*) FROM session WHERE encode(secret_hash, 'hex') = '" +
                   identity::to_hex(identity::SessionToken::parse(opened.text_at("/session/token"))->secret_hash()) +
                   "'") == "1");
}

TEST_CASE("A session acts in any organization of its person, and in no other") {
  World world;
  const auto email = new_email();
  const auto made = sign_up(world, email, "First");
  const auto token = made.text_at("/session/token");
  const auto caller = caller_of(verify(world, token));
  const auto second = world.post(caller, "/api/organization", R"({"name":"Second"})");
  REQUIRE(second.status == 201);
  const auto id = *model::Uuid::parse(second.text_at("/organization/uniqueId"));
  CHECK(verify(world, token, id).text_at("/organizationId") == id.text());
  CHECK(verify(world, token).text_at("/organizationId") == caller.organization.text());  // the first one
  CHECK(verify(world, token, world.new_owner().organization).status == 403);
  CHECK(world.get(caller, kUser).at("/organizations").as_array().size() == 2);
  World::sql("UPDATE organization SET deleted_at = now() WHERE organization_id = '" + caller.organization.text() + "'");
  CHECK(verify(world, token).text_at("/organizationId") == id.text());
  CHECK(verify(world, token, caller.organization).status == 403);
  CHECK(world.get(caller, kUser).at("/organizations").as_array().size() == 1);
}

TEST_CASE("A session ends by signing out, by idleness and by age; what was never one is refused alike") {
  World world;
  const auto email = new_email();
  const auto made = sign_up(world, email, "Engines");
  const auto token = made.text_at("/session/token");
  const auto caller = caller_of(verify(world, token));
  const auto other = sign_in(world, email).text_at("/session/token");
  CHECK(world.post(caller, kLogout, "").status == 204);
  CHECK(verify(world, token).status == 401);
  CHECK(verify(world, other).status == 200);
  CHECK(events_with(caller.credential) == 1);
  CHECK(world.post(world.new_owner(), kLogout, "").status == 409);  // a key

  const auto id = identity::SessionToken::parse(other)->session_id.text();
  World::sql("UPDATE session SET last_used_at = now() - interval '13 hours' WHERE id = '" + id + "'");
  CHECK(verify(world, other).status == 401);
  World::sql("UPDATE session SET last_used_at = now() - interval '11 hours' WHERE id = '" + id + "'");
  CHECK(verify(world, other).status == 200);
  world.until([&] {  // its use was noted: it has not been idle
    return World::sql("SELECT last_used_at > now() - interval '1 minute' FROM session WHERE id = '" + id + "'") == "t";
  });
  World::sql("UPDATE session SET expires_at = now() WHERE id = '" + id + "'");
  CHECK(verify(world, other).status == 401);

  auto altered = *identity::SessionToken::parse(sign_in(world, email).text_at("/session/token"));
  altered.secret.front() = altered.secret.front() == 'A' ? 'B' : 'A';
  CHECK(verify(world, altered.text()).status == 401);
  CHECK(verify(world, identity::SessionToken::create(model::new_uuid()).text()).status == 401);
  CHECK(World::sql("SELECT count(*) FROM session WHERE id = '" + id + "'") == "0");  // cleared away by signing in
}

TEST_CASE("A password is changed by who knows the old one, and ends all other sessions") {
  World world;
  const auto email = new_email();
  const auto made = sign_up(world, email, "Engines");
  const auto token = made.text_at("/session/token");
  const auto caller = caller_of(verify(world, token));
  const auto other = sign_in(world, email).text_at("/session/token");
  const auto change = [&](const std::string& body) { return world.post(caller, kUser, body); };
  const auto missing = change(json_of({{"password", "another password"}}));
  CHECK(missing.status == 400);
  CHECK(missing.text_at("/errors/0/pointer") == "/oldPassword");
  CHECK(change(json_of({{"password", "another password"}, {"oldPassword", "wrong"}})).status == 400);
  CHECK(change(json_of({{"password", "short"}, {"oldPassword", kPassword}})).text_at("/errors/0/pointer") ==
        "/password");
  CHECK(change(json_of({{"oldPassword", kPassword}})).text_at("/errors/0/pointer") == "/password");
  CHECK(verify(world, other).status == 200);

  const auto changed =
      change(json_of({{"password", "another password"}, {"oldPassword", kPassword}, {"name", "Ada K"}}));
  REQUIRE(changed.status == 200);
  CHECK(changed.text_at("/user/name") == "Ada K");
  CHECK(verify(world, token).status == 200);
  CHECK(verify(world, other).status == 401);
  CHECK(events_with(caller.person.text()) == 1);
  CHECK(sign_in(world, email).status == 401);
  CHECK(sign_in(world, email, "another password").status == 200);
  CHECK(change(R"({"name":"Ada L"})").text_at("/user/name") == "Ada L");
  CHECK(change("{}").text_at("/user/name") == "Ada L");
  CHECK(events_with(caller.person.text()) == 1);
}

TEST_CASE("Signing in while the password changes opens nothing that the change does not end") {
  World world;
  for (int round = 0; round < 5; ++round) {
    const auto email = new_email();
    const auto made = sign_up(world, email);
    const auto caller = caller_of(verify(world, made.text_at("/session/token")));
    std::vector<awaitable<Answer>> works;
    for (int i = 0; i < 3; ++i)
      works.push_back(world.ask_as_gateway(kLogin, json_of({{"email", email}, {"password", kPassword}})));
    works.push_back(world.ask(caller, http::Method::post, kUser,
                              json_of({{"password", "another password"}, {"oldPassword", kPassword}})));
    const auto answers = world.run_all(std::move(works));
    REQUIRE(answers[3].status == 200);
    for (int i = 0; i < 3; ++i) {
      const auto& answer = answers[static_cast<std::size_t>(i)];
      if (answer.status == 200) CHECK(verify(world, answer.text_at("/session/token")).status == 401);
    }
  }
}

TEST_CASE("A person has so many sessions and no more: the oldest ends") {
  World world;
  const auto email = new_email();
  const auto first = sign_up(world, email).text_at("/session/token");
  const auto person = "(SELECT id FROM person WHERE email = '" + email + "')";
  World::sql("INSERT INTO session (id, person_id, secret_hash, expires_at) SELECT gen_random_uuid(), " + person +
             ", '\\x" + std::string(64, '0') + "', now() + interval '1 day' FROM generate_series(1, 49)");
  CHECK(verify(world, first).status == 200);
  const auto last = sign_in(world, email).text_at("/session/token");
  CHECK(verify(world, first).status == 401);
  CHECK(verify(world, last).status == 200);
  CHECK(World::sql("SELECT count(*) FROM session WHERE person_id = " + person) == "50");
}

TEST_CASE("Signing up and in again with the same Idempotency-Key is done once, and its secret is shown once") {
  World world;
  const auto email = new_email();
  const auto key = model::new_uuid().text();
  const auto body = json_of({{"name", "Ada"}, {"email", email}, {"password", kPassword}});
  CHECK(world.post_as_gateway(kRegister, body, {{"Idempotency-Key", key}}).status == 201);
  const auto again = world.post_as_gateway(kRegister, body, {{"Idempotency-Key", key}});
  CHECK(again.status == 409);
  CHECK(again.text.find("shown once") != again.text.npos);
  // Somebody else may happen to use the same one.
  world.client_address = "198.51.100.9";
  CHECK(world
            .post_as_gateway(kRegister, json_of({{"name", "B"}, {"email", new_email()}, {"password", kPassword}}),
                             {{"Idempotency-Key", key}})
            .status == 201);
  CHECK(World::sql("SELECT count(*) FROM idempotency WHERE organization_id = '" + model::Uuid{}.text() +
                   "' AND body IS NOT NULL AND strpos(encode(body, 'escape'), 'parley_session') > 0") == "0");
}
