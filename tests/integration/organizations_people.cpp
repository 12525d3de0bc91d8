// People: signing up, in and out, sessions, passwords, and who guesses them.
#include "common/identity/session_token.hpp"
#include "organizations/people/ownership.hpp"
#include "tests/integration/organizations_world.hpp"

using namespace parley;
using namespace parley::organizations_tests;

namespace {

constexpr auto kRegister = "/api/auth/register";
constexpr auto kLogin = "/api/auth/login";
constexpr auto kLogout = "/api/auth/logout";
constexpr auto kUser = "/api/user";
const std::string kPassword = "correct horse battery";

std::string new_email() { return model::new_uuid().text() + "@people.example"; }

std::string json_of(std::initializer_list<std::pair<const char*, std::string>> members) {
  boost::json::object out;
  for (const auto& [name, value] : members) out[name] = value;
  return boost::json::serialize(out);
}

Answer sign_up(World& world, const std::string& email, const std::string& organization = "") {
  if (organization.empty())
    return world.post_as_gateway(kRegister, json_of({{"name", "Ada"}, {"email", email}, {"password", kPassword}}));
  return world.post_as_gateway(
      kRegister,
      json_of({{"name", "Ada"}, {"email", email}, {"password", kPassword}, {"organizationName", organization}}));
}

Answer sign_in(World& world, const std::string& email, const std::string& password = kPassword) {
  return world.post_as_gateway(kLogin, json_of({{"email", email}, {"password", password}}));
}

// What the gateway asks when a session's token comes in.
Answer verify(World& world, const std::string& token, const std::optional<model::Uuid>& organization = {}) {
  const auto read = identity::SessionToken::parse(token);
  REQUIRE(read);
  std::string body = R"({"session":{"sessionId":")" + read->session_id.text() + R"(","secretSha256":")" +
                     identity::to_hex(read->secret_hash()) + "\"}";
  if (organization) body += R"(,"organizationId":")" + organization->text() + '"';
  return world.post_as_gateway("/internal/credentials/verify", body + "}");
}

// The caller that the gateway would make of it.
Caller caller_of(const Answer& verdict) {
  return {*model::Uuid::parse(verdict.text_at("/organizationId")),
          *model::Uuid::parse(verdict.text_at("/memberId")),
          *model::Uuid::parse(verdict.text_at("/personId")),
          {},
          model::AccessLevel::Owner,
          PermissionSet::all(),
          verdict.text_at("/credentialId")};
}

Answer set_password(World& world, const std::string& token, const std::string& password) {
  return world.post_as_gateway("/api/auth/password", json_of({{"token", token}, {"password", password}}));
}

std::string issue_token(World& world, const std::string& email) {
  return world.run(organizations::people::issue_token(world.database, email, 3600)).passwordToken;
}

std::string audits_of(const model::Uuid& organization, const std::string& action) {
  return World::sql("SELECT count(*) FROM audit WHERE organization_id = '" + organization.text() + "' AND action = '" +
                    action + "'");
}

// The migration's, that says who is proved.
std::string proving_statement() {
  for (const auto& migration : organizations::migrations) {
    const std::string text(migration.sql);
    const auto begin = text.find("UPDATE person p SET address_proved_at");
    if (begin != text.npos) return text.substr(begin, text.find(';', begin) - begin);
  }
  throw std::logic_error("no migration says who is proved");
}

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
  auto mixed = *organizations::people::PasswordToken::parse(first);
  CHECK(refused(organizations::people::PasswordToken::create(mixed.person_id).text()) == said);
  mixed.person_id = model::new_uuid();
  CHECK(refused(mixed.text()) == said);
  const auto second = issue_token(world, email);
  CHECK(refused(first) == said);
  CHECK(World::sql("SELECT count(*) FROM password_token t WHERE strpos(t::text, '" +
                   organizations::people::PasswordToken::parse(second)->secret + "') > 0") == "0");
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

TEST_CASE("An account is known from the networks that its person signed in from last") {
  World world;
  world.client_address = "192.0.2.9";
  organizations::people::Attempts attempts(world.database, {.networks = 3});
  const auto email = new_email();
  sign_up(world, email);
  const auto person = *model::Uuid::parse(World::sql("SELECT id FROM person WHERE email = '" + email + "'"));
  const auto sign_in_from = [&](const std::string& address) {
    world.run([](auto& in, auto& all, auto who, auto from) -> awaitable<int> {
      auto transaction = co_await in.database.begin();
      co_await all.remember(transaction, who, from);
      co_await transaction.commit();
      co_return 0;
    }(world, attempts, person, address));
  };
  const auto knows = [&](const std::string& address, const model::Uuid& whom) {
    return world.run([](auto& all, auto who, auto from) -> awaitable<std::string> {
      const bool known = co_await all.knows(who, from);
      co_return known ? "known" : "unknown";
    }(attempts, whom, address)) == "known";
  };
  CHECK(knows(world.client_address, person));  // by signing up
  CHECK_FALSE(knows("192.0.2.8", person));
  CHECK_FALSE(knows(world.client_address, model::new_uuid()));
  for (const auto* address : {"203.0.113.1", "2001:db8:7:7::1", "203.0.113.3"}) sign_in_from(address);
  CHECK(knows("2001:db8:7:7:ffff::2", person));
  CHECK_FALSE(knows("2001:db8:7:8::1", person));
  CHECK_FALSE(knows(world.client_address, person));  // the oldest of four
  CHECK(World::sql("SELECT count(*) FROM known_network WHERE person_id = '" + person.text() + "'") == "3");
  World::sql("UPDATE known_network SET seen_at = now() - interval '91 days' WHERE person_id = '" + person.text() + "'");
  CHECK_FALSE(knows("203.0.113.3", person));
  sign_in_from("203.0.113.3");
  CHECK(knows("203.0.113.3", person));
  CHECK(World::sql("SELECT count(*) FROM known_network WHERE person_id = '" + person.text() + "'") == "1");
}

TEST_CASE("A /48 counts for more than a /64, and for less than all") {
  World world;
  world.client_address = "198.51.100.22";
  const auto email = new_email();
  sign_up(world, email);
  int tried = 0;
  for (int subnet = 0; subnet < 30; ++subnet) {
    world.client_address = "2001:db8:99:" + std::to_string(subnet) + "::1";
    const auto status = sign_in(world, email, "wrong").status;
    CHECK((status == 401 || status == 429));
    tried += status == 401;
  }
  CHECK(tried == 20);
  CHECK(sign_in(world, email).status == 429);
  world.client_address = "2001:db8:98:1::1";
  CHECK(sign_in(world, email).status == 200);
}

TEST_CASE("Persons from before are proved where an operator's command made them, and nowhere else") {
  World world;
  world.client_address = "198.51.100.23";
  const auto by_owner = new_email(), by_member = new_email(), registered = new_email(), adopted = new_email();
  const auto first = world.run(world.members.create_owner({"Olive", by_owner, {}, {}}, "First"));
  world.run(world.members.add(first.organizationId, {"Mia", by_member, {}, {}}));
  sign_up(world, registered, "Theirs");
  sign_up(world, adopted, "Theirs");
  // As a version before did: the command took who was there.
  World::sql("UPDATE person SET address_proved_at = now() WHERE email = '" + adopted + "'");
  world.run(world.members.create_owner({"Olive", adopted, {}, {}}, "Second"));
  // In those versions all of a transaction had its time.
  World::sql("UPDATE member m SET created_at = p.created_at FROM person p WHERE p.id = m.person_id AND p.email IN ('" +
             by_owner + "', '" + by_member + "', '" + registered + "')");
  World::sql("UPDATE person SET address_proved_at = NULL");
  World::sql(proving_statement());
  const auto proved = [](const std::string& email) {
    return World::sql("SELECT address_proved_at IS NOT NULL FROM person WHERE email = '" + email + "'");
  };
  CHECK(proved(by_owner) == "t");
  CHECK(proved(by_member) == "t");
  CHECK(proved(registered) == "f");
  CHECK(proved(adopted) == "f");
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

TEST_CASE("Guessing an account's password from one address is slowed down, for that address alone") {
  World world;
  world.client_address = "198.51.100.1";
  const auto email = new_email();
  sign_up(world, email);
  for (int i = 0; i < 5; ++i) CHECK(sign_in(world, email, "wrong").status == 401);
  const auto locked = sign_in(world, email);  // the right one, too
  CHECK(locked.status == 429);
  CHECK(locked.head.find("Retry-After: ") != locked.head.npos);
  CHECK(sign_in(world, new_email(), "wrong").status == 401);  // another account
  world.client_address = "198.51.100.2";
  CHECK(sign_in(world, email).status == 200);  // its holder, from elsewhere
  world.client_address = "198.51.100.1";
  CHECK(sign_in(world, email).status == 429);
}

TEST_CASE("What is not right in between is forgotten with the right password") {
  World world;
  world.client_address = "198.51.100.3";
  const auto email = new_email();
  sign_up(world, email);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4; ++i) CHECK(sign_in(world, email, "wrong").status == 401);
    CHECK(sign_in(world, email).status == 200);
  }
}

TEST_CASE("Many guesses at once are no way around the limit") {
  World world;
  world.client_address = "198.51.100.4";
  const auto email = new_email();
  sign_up(world, email);
  std::vector<awaitable<Answer>> works;
  for (int i = 0; i < 20; ++i)
    works.push_back(world.ask_as_gateway(kLogin, json_of({{"email", email}, {"password", "wrong"}})));
  int tried = 0;
  for (const auto& answer : world.run_all(std::move(works))) {
    CHECK((answer.status == 401 || answer.status == 429));
    tried += answer.status == 401;
  }
  CHECK(tried <= 5);
  CHECK(tried >= 1);
}

TEST_CASE("A stolen session does not let guess the password either") {
  World world;
  world.client_address = "198.51.100.5";
  const auto email = new_email();
  const auto made = sign_up(world, email);
  const auto caller = caller_of(verify(world, made.text_at("/session/token")));
  const auto body = json_of({{"password", "another password"}, {"oldPassword", "wrong"}});
  for (int i = 0; i < 5; ++i) CHECK(world.post(caller, kUser, body).status == 400);
  CHECK(world.post(caller, kUser, body).status == 429);
  CHECK(sign_in(world, email).status == 429);  // the same count
}

TEST_CASE("Pauses double, at most to the window, and end with it") {
  World world;
  organizations::people::Attempts attempts(
      world.database, {.of_account_from_address = 2, .window_seconds = 1000, .first_pause_seconds = 100});
  const auto subjects = attempts.sign_in(new_email(), "198.51.100.6", false);
  const auto seconds = [&] {
    std::vector<awaitable<std::int64_t>> works;
    works.push_back([](auto& a, auto s) -> awaitable<std::int64_t> {
      try {
        co_await a.begin(s);
      } catch (const http::Problem& problem) {
        co_return std::stoll(problem.head.substr(problem.head.find(' ') + 1));
      }
      co_return 0;
    }(attempts, subjects));
    return world.run_all(std::move(works)).front();
  };
  const auto pass = [&] {
    World::sql("UPDATE sign_in_attempt SET locked_until = now() WHERE subject = '\\x" +
               identity::to_hex(subjects.hashes[0]) + "'");
  };
  CHECK(seconds() == 0);
  CHECK(seconds() == 0);
  for (const std::int64_t pause : {100, 200, 400, 800, 1000, 1000}) {
    const auto left = seconds();
    CHECK(left <= pause);
    CHECK(left > pause / 2);
    pass();
    CHECK(seconds() == 0);
  }
  World::sql(
      "UPDATE sign_in_attempt SET locked_until = now(), last_at = now() - interval '1001 seconds' WHERE subject = "
      "'\\x" +
      identity::to_hex(subjects.hashes[0]) + "'");
  CHECK(seconds() == 0);  // all is forgotten
  CHECK(seconds() == 0);
  CHECK(seconds() > 0);
}

TEST_CASE("Accounts made from one address are limited") {
  World world;
  world.client_address = "2001:db8:7:7::1";
  int made = 0;
  for (int i = 0; i < 25; ++i) {
    const auto status = sign_up(world, new_email()).status;
    made += status == 201;
    if (status == 429) break;
    CHECK(status == 201);
  }
  CHECK(made == 20);
  world.client_address = "2001:db8:7:7:ffff::9";  // the same subscriber
  CHECK(sign_up(world, new_email()).status == 429);
  world.client_address = "2001:db8:7:8::1";
  CHECK(sign_up(world, new_email()).status == 201);
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

TEST_CASE("Hashing is bounded: whoever would wait too long is turned away before anything is counted") {
  World world;
  organizations::people::Passwords passwords(world.context(), {.threads = 1, .waiting = 2});
  const auto attempt = [](organizations::people::Passwords& all) -> awaitable<int> {
    try {
      const auto hash = co_await all.hash(kPassword);
      co_return hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$") ? 200 : 500;
    } catch (const http::Problem& problem) {
      co_return static_cast<int>(problem.status);
    }
  };
  std::vector<awaitable<int>> works;
  for (int i = 0; i < 6; ++i) works.push_back(attempt(passwords));
  int done = 0, refused = 0;
  for (const auto status : world.run_all(std::move(works))) {
    done += status == 200;
    refused += status == 503;
  }
  CHECK(done == 3);
  CHECK(refused == 3);
  passwords.require_room();
  const auto stored = world.run(passwords.hash(kPassword));
  CHECK(world.run(passwords.hash(kPassword)) != stored);  // salted
  const auto matches = [&](std::optional<std::string> hash, const std::string& password) {
    return world.run([](auto& all, auto hash, auto password) -> awaitable<std::string> {
      const bool same = co_await all.verify(hash, password);
      co_return same ? "same" : "other";
    }(passwords, std::move(hash), password));
  };
  CHECK(matches(stored, kPassword) == "same");
  CHECK(matches(stored, kPassword + " ") == "other");
  CHECK(matches(std::nullopt, kPassword) == "other");
}
