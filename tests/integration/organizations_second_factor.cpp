// A person's second factor: setting it up, signing in with it, and organizations that require it.
#include <algorithm>
#include <numeric>

#include "common/secrets/key_ring.hpp"
#include "organizations/second_factor/store.hpp"
#include "organizations/users/ownership.hpp"
#include "tests/integration/organizations_users_bed.hpp"
#include "tests/support/authenticator.hpp"

using namespace parley;
using namespace parley::organizations_tests;
using support::authenticator_code;

namespace {

constexpr auto kBegin = "/api/user/second-factor";
constexpr auto kConfirm = "/api/user/second-factor/confirm";
constexpr auto kCodes = "/api/user/second-factor/recovery-codes";
constexpr auto kDisable = "/api/user/second-factor/disable";
constexpr auto kCodeNeeded = "/docs/sign-in#code-needed";
constexpr auto kRequired = "/docs/sign-in#second-factor-required";

const auto kPasswordBody = json_of({{"password", kPassword}});

// An address of a network that nobody else signs up from, whose number is limited.
std::string new_address() {
  static int number = 0;
  ++number;
  return "10.61." + std::to_string(number / 250) + "." + std::to_string(number % 250 + 1);
}

// Somebody whose second factor is on.
struct Person {
  std::string email, organization;
  Caller caller;  // in the session in which they switched it on
  std::string secret;
  std::vector<std::string> recovery;

  std::string id() const { return caller.person.text(); }
  std::string code() const { return authenticator_code(secret); }
  // As if the codes that were used were of long ago: a test needs several within 30 s.
  void forget_used() const { World::sql("UPDATE second_factor SET last_step = 0 WHERE person_id = '" + id() + "'"); }
};

Person sign_up_new(World& world, const std::string& organization = "Engines") {
  world.client_address = new_address();
  Person out;
  out.email = new_email();
  const auto made = sign_up(world, out.email, organization);
  REQUIRE(made.status == 201);
  out.organization = made.text_at("/organizations/0/uniqueId");
  out.caller = caller_of(verify(world, made.text_at("/session/token")));
  return out;
}

void switch_on(World& world, Person& person) {
  const auto begun = world.post(person.caller, kBegin, kPasswordBody);
  REQUIRE(begun.status == 200);
  person.secret = begun.text_at("/secondFactor/secret");
  const auto on = world.post(person.caller, kConfirm, json_of({{"code", person.code()}}));
  REQUIRE(on.status == 200);
  for (const auto& code : on.at("/recoveryCodes").as_array()) person.recovery.emplace_back(code.as_string());
  person.forget_used();
}

Person new_person(World& world) {
  auto out = sign_up_new(world);
  switch_on(world, out);
  return out;
}

Answer sign_in_with(World& world, const Person& person, const std::string& code,
                    const std::string& password = kPassword) {
  return world.post_as_gateway(kLogin, json_of({{"email", person.email}, {"password", password}, {"code", code}}));
}

// How many of several at once have this status.
std::int64_t count(const std::vector<Answer>& answers, unsigned status) {
  return std::ranges::count_if(answers, [&](const auto& each) { return each.status == status; });
}

std::vector<Answer> sign_in_at_once(World& world, const Person& person, const std::string& code, int times) {
  std::vector<awaitable<Answer>> all;
  for (int i = 0; i < times; ++i)
    all.push_back(
        world.ask_as_gateway(kLogin, json_of({{"email", person.email}, {"password", kPassword}, {"code", code}})));
  return world.run_all(std::move(all));
}

std::string audited(const Person& person) {
  return World::sql("SELECT string_agg(action, ' ' ORDER BY created_at, id) FROM audit WHERE organization_id = '" +
                    person.organization + "' AND action NOT IN ('OrganizationCreated', 'SignedIn', 'SignInFailed')");
}

}  // namespace

TEST_CASE("A second factor is begun by the password and switched on by a first code, and its secrets are shown once") {
  World world;
  auto person = sign_up_new(world);
  CHECK(world.get(person.caller, kUser).at("/user/secondFactor").is_null());
  const auto wrong = world.post(person.caller, kBegin, json_of({{"password", "not this one"}}));
  CHECK(wrong.status == 400);
  CHECK(wrong.text_at("/errors/0/pointer") == "/password");
  CHECK(world.post(person.caller, kConfirm, json_of({{"code", "123456"}})).status == 409);  // nothing was begun

  const auto replaced = world.post(person.caller, kBegin, kPasswordBody);
  const auto begun = world.post(person.caller, kBegin, kPasswordBody, {{"Idempotency-Key", model::new_uuid().text()}});
  REQUIRE(begun.status == 200);
  CHECK(begun.has_header("Cache-Control: no-store"));
  person.secret = begun.text_at("/secondFactor/secret");
  CHECK(begun.text_at("/secondFactor/otpauthUrl").find("secret=" + person.secret) != std::string::npos);
  CHECK(world.get(person.caller, kUser).at("/user/secondFactor").is_null());
  CHECK(sign_in(world, person.email).status == 200);  // nothing has changed yet

  const auto old_code = authenticator_code(replaced.text_at("/secondFactor/secret"));
  CHECK(world.post(person.caller, kConfirm, json_of({{"code", old_code}})).status == 400);
  const auto on = world.post(person.caller, kConfirm, json_of({{"code", person.code()}}));
  REQUIRE(on.status == 200);
  CHECK(on.has_header("Cache-Control: no-store"));
  CHECK(on.at("/recoveryCodes").as_array().size() == 10);
  const auto user = world.get(person.caller, kUser);
  CHECK(user.at("/user/secondFactor/recoveryCodesLeft").as_int64() == 10);
  CHECK_FALSE(user.text_at("/user/secondFactor/since").empty());
  CHECK(audited(person) == "SecondFactorEnabled");
  CHECK(world.post(person.caller, kBegin, kPasswordBody).status == 409);
  CHECK(world.post(person.caller, kConfirm, json_of({{"code", authenticator_code(person.secret, 1)}})).status == 409);

  // In the database there is neither the secret nor a recovery code.
  const auto sealed = World::sql("SELECT secret FROM second_factor WHERE person_id = '" + person.id() + "'");
  CHECK(sealed.starts_with("test."));
  CHECK_NOTHROW(secrets::KeyRing(encryption_keys()).open(person.caller.person, "second_factor", sealed));
  CHECK_THROWS(secrets::KeyRing(encryption_keys()).open(model::new_uuid(), "second_factor", sealed));
  CHECK(World::sql("SELECT count(*) FROM recovery_code WHERE person_id = '" + person.id() +
                   "' AND octet_length(code_hash) = 32") == "10");
}

TEST_CASE("Switching a second factor on ends the person's other sessions, which the password alone opened") {
  World world;
  auto person = sign_up_new(world);
  const auto other = sign_in(world, person.email).text_at("/session/token");
  REQUIRE(verify(world, other).status == 200);
  switch_on(world, person);
  CHECK(verify(world, other).status == 401);
  CHECK(world.get(person.caller, "/api/auth/sessions").at("/sessions").as_array().size() == 1);
}

TEST_CASE("Only who knows the password learns that a code is needed, and signs in with one") {
  World world;
  const auto person = new_person(world);
  const auto wrong = sign_in(world, person.email, "not this one");
  CHECK(wrong.status == 401);
  CHECK(wrong.text_at("/type") == "about:blank");
  CHECK(sign_in_with(world, person, person.code(), "not this one").text_at("/type") == "about:blank");
  const auto needed = sign_in(world, person.email);
  CHECK(needed.status == 401);
  CHECK(needed.text_at("/type") == kCodeNeeded);
  CHECK(needed.text_at("/errors/0/pointer") == "/code");
  const auto bad = sign_in_with(world, person, "nonsense");
  CHECK(bad.status == 401);
  CHECK(bad.text_at("/type") == kCodeNeeded);

  const auto code = person.code();
  const auto in = sign_in_with(world, person, code);
  REQUIRE(in.status == 200);
  CHECK(verify(world, in.text_at("/session/token")).status == 200);
  CHECK(in.at("/user/secondFactor/recoveryCodesLeft").as_int64() == 10);
  CHECK(sign_in_with(world, person, code).status == 401);                                   // a replay
  CHECK(sign_in_with(world, person, authenticator_code(person.secret, -1)).status == 401);  // of before it
  CHECK(sign_in_with(world, person, authenticator_code(person.secret, 1)).status == 200);

  // Who has none signs in as ever, whatever the code.
  const auto plain = sign_up_new(world);
  CHECK(sign_in(world, plain.email).status == 200);
  CHECK(sign_in_with(world, plain, "123456").status == 200);
}

TEST_CASE("A recovery code signs in once, however it is typed, and new ones take the place of the old") {
  World world;
  const auto person = new_person(world);
  auto typed = person.recovery[0];
  std::erase(typed, '-');
  for (auto& c : typed) c = static_cast<char>(std::toupper(c));
  const auto in = sign_in_with(world, person, typed);
  REQUIRE(in.status == 200);
  CHECK(in.at("/user/secondFactor/recoveryCodesLeft").as_int64() == 9);
  CHECK(sign_in_with(world, person, person.recovery[0]).status == 401);
  CHECK(sign_in_with(world, new_person(world), person.recovery[1]).status == 401);  // somebody else's

  const auto made = world.post(person.caller, kCodes, json_of({{"code", person.recovery[2]}}));
  REQUIRE(made.status == 200);
  CHECK(made.has_header("Cache-Control: no-store"));
  CHECK(made.at("/recoveryCodes").as_array().size() == 10);
  CHECK(sign_in_with(world, person, person.recovery[3]).status == 401);
  CHECK(sign_in_with(world, person, made.text_at("/recoveryCodes/0")).status == 200);
  CHECK(audited(person) == "SecondFactorEnabled RecoveryCodesReplaced");
}

TEST_CASE("Of several sign-ins at once with one code, or one recovery code, one gets a session") {
  World world;
  const auto person = new_person(world);
  for (int round = 0; round < 5; ++round) {
    person.forget_used();
    const auto answers = sign_in_at_once(world, person, person.code(), 4);
    CHECK(count(answers, 200) == 1);
    CHECK(count(answers, 401) == 3);
    const auto recovered = sign_in_at_once(world, person, person.recovery[round], 4);
    CHECK(count(recovered, 200) == 1);
    CHECK(count(recovered, 401) == 3);
  }
  CHECK(World::sql("SELECT count(*) FROM recovery_code WHERE person_id = '" + person.id() + "'") == "5");
}

TEST_CASE("A code that several requests have found good at once is taken by one of them") {
  World world;
  const auto person = new_person(world);
  const secrets::KeyRing keys(encryption_keys());
  organizations::users::Attempts attempts(world.database, {});
  organizations::second_factor::Store store(world.database, keys, attempts);
  const auto check = [&](const std::string& code) {
    const auto state = organizations::second_factor::Store::State::on;
    return world.run(store.check(person.caller.person, code, world.client_address, state)).value();
  };
  const auto take = [](auto& in, auto& from, auto who, auto proof) -> awaitable<int> {
    auto transaction = co_await in.database.begin();
    const bool is_taken = co_await from.use(transaction, who, proof);
    co_await transaction.commit();
    co_return is_taken ? 1 : 0;
  };
  for (const auto& code : {person.code(), person.recovery[0]}) {
    std::vector<awaitable<int>> all;
    std::vector<organizations::second_factor::Proof> proofs;
    for (int i = 0; i < 4; ++i) proofs.push_back(check(code));
    for (const auto& proof : proofs) all.push_back(take(world, store, person.caller.person, proof));
    const auto taken = world.run_all(std::move(all));
    CHECK(std::accumulate(taken.begin(), taken.end(), 0) == 1);
  }
}

TEST_CASE("Signing in while the second factor is switched on opens nothing that the password alone would keep open") {
  World world;
  for (int round = 0; round < 5; ++round) {
    auto person = sign_up_new(world);
    person.secret = world.post(person.caller, kBegin, kPasswordBody).text_at("/secondFactor/secret");
    std::vector<awaitable<Answer>> both;
    both.push_back(world.ask(person.caller, http::Method::post, kConfirm, json_of({{"code", person.code()}})));
    for (int i = 0; i < 3; ++i)
      both.push_back(world.ask_as_gateway(kLogin, json_of({{"email", person.email}, {"password", kPassword}})));
    const auto answers = world.run_all(std::move(both));
    REQUIRE(answers[0].status == 200);
    for (std::size_t i = 1; i < answers.size(); ++i)
      if (answers[i].status == 200) CHECK(verify(world, answers[i].text_at("/session/token")).status == 401);
    CHECK(World::sql("SELECT count(*) FROM session WHERE person_id = '" + person.id() + "'") == "1");
  }
}

TEST_CASE("Guessing codes is slowed down for who knows the password, wherever they come from") {
  World world;
  const auto person = new_person(world);
  const auto home = world.client_address;
  world.client_address = new_address();
  const auto guess = [&] { return sign_in_with(world, person, "abcdef").status; };
  for (int i = 0; i < 4; ++i) {
    CHECK(guess() == 401);
    CHECK(sign_in(world, person.email).text_at("/type") == kCodeNeeded);  // the right password forgets no failure
  }
  world.client_address = new_address();  // another network
  CHECK(guess() == 401);
  world.client_address = new_address();
  CHECK(guess() == 429);
  const auto late = sign_in_with(world, person, person.code());  // refused without a look at it
  CHECK(late.status == 429);
  CHECK(late.head.find("Retry-After: ") != std::string::npos);
  world.client_address = home;  // where they signed in before, others do not hold them up
  CHECK(sign_in_with(world, person, person.code()).status == 200);

  // Failures count for a day, not for the quarter of an hour of passwords.
  World::sql("UPDATE sign_in_attempt SET last_at = last_at - interval '20 hours', locked_until = now()");
  world.client_address = new_address();
  sign_up_new(world);  // each attempt removes what does not count any more
  world.client_address = new_address();
  CHECK(guess() == 401);
  CHECK(guess() == 429);
  World::sql("UPDATE sign_in_attempt SET last_at = last_at - interval '25 hours', locked_until = now()");
  CHECK(guess() == 401);
  CHECK(guess() == 401);
}

TEST_CASE("Many guesses of a code at once are no way around the limit, nor is a stolen session") {
  World world;
  const auto person = new_person(world);
  world.client_address = new_address();
  const auto answers = sign_in_at_once(world, person, "000 00a", 12);
  CHECK(count(answers, 401) == 5);
  CHECK(count(answers, 429) == 7);

  const auto other = new_person(world);
  for (int i = 0; i < 5; ++i) {
    const auto answer = world.post(other.caller, i % 2 == 0 ? kDisable : kCodes, R"({"code":"abcdef"})");
    CHECK(answer.status == 400);
    CHECK(answer.text_at("/errors/0/pointer") == "/code");
  }
  CHECK(world.post(other.caller, kDisable, json_of({{"code", other.code()}})).status == 429);
}

TEST_CASE("A second factor is switched off by the password or a code, and by nothing less") {
  World world;
  const auto switch_off = [&](const Person& person, const std::string& body) {
    return world.post(person.caller, kDisable, body).status;
  };
  const auto person = new_person(world);
  CHECK(switch_off(person, "{}") == 400);
  CHECK(switch_off(person, json_of({{"password", kPassword}, {"code", person.code()}})) == 400);
  CHECK(switch_off(person, json_of({{"password", "not this one"}})) == 400);
  CHECK(world.get(person.caller, kUser).at("/user/secondFactor").is_object());
  CHECK(switch_off(person, kPasswordBody) == 204);
  CHECK(world.get(person.caller, kUser).at("/user/secondFactor").is_null());
  CHECK(sign_in(world, person.email).status == 200);
  CHECK(switch_off(person, kPasswordBody) == 409);
  CHECK(world.post(person.caller, kCodes, kPasswordBody).status == 409);
  CHECK(audited(person) == "SecondFactorEnabled SecondFactorDisabled");
  CHECK(World::sql("SELECT count(*) FROM second_factor WHERE person_id = '" + person.id() + "'") == "0");

  auto again = person;  // with another secret
  switch_on(world, again);
  CHECK(again.secret != person.secret);
  CHECK(sign_in_with(world, again, person.recovery[0]).status == 401);
  CHECK(switch_off(again, json_of({{"code", again.code()}})) == 204);
  const auto third = new_person(world);
  CHECK(switch_off(third, json_of({{"code", third.recovery[0]}})) == 204);
}

TEST_CASE("An organization that requires a second factor is closed to sessions without one, and to no API key") {
  World world;
  auto owner = sign_up_new(world);
  const auto target = "/api/organization/" + owner.organization;
  const auto require = [&](const std::string& value) {
    return world.post(owner.caller, target, R"({"requiresSecondFactor":)" + value + "}");
  };
  CHECK_FALSE(world.get(owner.caller, target).at("/organization/requiresSecondFactor").as_bool());
  const auto refused = require("true");  // it would lock out who does it
  CHECK(refused.status == 409);
  CHECK(refused.text_at("/errors/0/pointer") == "/requiresSecondFactor");

  auto member = sign_up_new(world, "Another");
  World::sql("INSERT INTO member (organization_id, id, person_id, access_level) VALUES ('" + owner.organization +
             "', gen_random_uuid(), '" + member.id() + "', 'Owner')");
  const auto token = sign_in(world, member.email).text_at("/session/token");
  const auto there = *model::Uuid::parse(owner.organization);
  REQUIRE(caller_of(verify(world, token, there)).organization == there);
  const auto key = world.post(caller_of(verify(world, token, there)), "/api/auth/api-keys", R"({"name":"programs"})");
  REQUIRE(key.status == 201);
  const auto elsewhere = world.post(caller_of(verify(world, token)), "/api/auth/api-keys", R"({"name":"elsewhere"})");
  REQUIRE(elsewhere.status == 201);
  const auto foreign = elsewhere.text_at("/apiKey/key");
  REQUIRE(caller_of(world.verify(foreign, there)).organization == there);

  switch_on(world, owner);
  const auto events = World::sql("SELECT count(*) FROM outbox");
  const auto on = require("true");
  REQUIRE(on.status == 200);
  CHECK(on.at("/organization/requiresSecondFactor").as_bool());
  CHECK(World::sql("SELECT count(*) FROM outbox") != events);  // gateways are told
  CHECK(World::sql("SELECT before->>'requiresSecondFactor' || ' ' || (after->>'requiresSecondFactor') FROM audit WHERE "
                   "action = 'OrganizationUpdated' AND organization_id = '" +
                   owner.organization + "'") == "false true");

  const auto lacking = caller_of(verify(world, token, there));
  CHECK(lacking.lacks_second_factor);
  CHECK(lacking.organization.is_nil());
  const auto closed = world.get(lacking, "/api/rbac/permissions");
  CHECK(closed.status == 403);
  CHECK(closed.text_at("/type") == kRequired);
  CHECK(world.post(lacking, target, R"({"requiresSecondFactor":false})").text_at("/type") == kRequired);
  CHECK(world.get(lacking, kUser).status == 200);
  CHECK(world.get(lacking, "/api/auth/sessions").status == 200);
  CHECK(verify(world, token).at("/lacksSecondFactor").is_null());  // in their own organization
  CHECK(world.verify(key.text_at("/apiKey/key")).status == 200);
  CHECK(world.verify(key.text_at("/apiKey/key")).text_at("/organizationId") == owner.organization);

  // A key that they made where nothing is required lets them in no more than a session.
  CHECK(caller_of(world.verify(foreign, there)).lacks_second_factor);
  CHECK(world.get(caller_of(world.verify(foreign, there)), "/api/rbac/permissions").text_at("/type") == kRequired);
  CHECK(world.verify(foreign).at("/lacksSecondFactor").is_null());

  member.caller = lacking;  // they set it up, and are let in
  switch_on(world, member);
  CHECK(caller_of(world.verify(foreign, there)).organization == there);
  CHECK(caller_of(verify(world, token, there)).organization == there);
  CHECK(world.post(member.caller, kDisable, kPasswordBody).status == 204);
  CHECK(caller_of(verify(world, token, there)).lacks_second_factor);
  REQUIRE(require("false").status == 200);
  CHECK(caller_of(verify(world, token, there)).organization == there);
}

TEST_CASE("A change of the requirement changes the version of the organization") {
  World world;
  const auto owner = new_person(world);
  const auto target = "/api/organization/" + owner.organization;
  const auto tag_of = [](const Answer& answer) {
    const auto at = answer.head.find("ETag: ") + 6;
    return answer.head.substr(at, answer.head.find("\r\n", at) - at);
  };
  const auto before = tag_of(world.get(owner.caller, target));
  REQUIRE(world.post(owner.caller, target, R"({"requiresSecondFactor":true})", {{"If-Match", before}}).status == 200);
  CHECK(world.post(owner.caller, target, R"({"requiresSecondFactor":false})", {{"If-Match", before}}).status == 412);
}

TEST_CASE("An operator switches off the second factor of who has lost it, and audits have that") {
  World world;
  const auto person = new_person(world);
  const auto switch_off = [&](const std::string& email) {
    return world.run([](auto& in, auto whose) -> awaitable<unsigned> {
      try {
        co_await organizations::second_factor::switch_off(in.database, whose);
        co_return 0u;
      } catch (const http::Problem& problem) {
        co_return problem.status;
      }
    }(world, email));
  };
  CHECK(switch_off(new_email()) == 404);
  CHECK(switch_off(person.email) == 0);
  CHECK(switch_off(person.email) == 404);
  CHECK(sign_in(world, person.email).status == 200);
  CHECK(World::sql("SELECT coalesce(member_id::text, '') || request_id FROM audit WHERE action = "
                   "'SecondFactorDisabled' AND organization_id = '" +
                   person.organization + "'") == "second-factor-off");
}

TEST_CASE("Whoever an operator gives the account to is not kept out by the second factor of who had it") {
  World world;
  const auto squatter = new_person(world);
  world.run(world.members.create_owner({"Ada", squatter.email, {}, {}}, "Her own"));
  CHECK(World::sql("SELECT count(*) FROM second_factor WHERE person_id = '" + squatter.id() + "'") == "0");
  CHECK(World::sql("SELECT second_factor_at FROM person WHERE id = '" + squatter.id() + "'").empty());
}

TEST_CASE("A token for a password leaves the second factor on, whether the person was vouched for or not") {
  World world;
  const auto person = new_person(world);
  SUBCASE("vouched for") { World::sql("UPDATE person SET address_proved_at = now() WHERE id = '" + person.id() + "'"); }
  SUBCASE("not vouched for") {}
  const auto issued = world.run(organizations::users::issue_token(world.database, person.email, 600));
  REQUIRE(world
              .post_as_gateway("/api/auth/password",
                               json_of({{"token", issued.passwordToken}, {"password", "another password"}}))
              .status == 204);
  CHECK(sign_in(world, person.email, "another password").text_at("/type") == kCodeNeeded);
  CHECK(sign_in_with(world, person, person.code(), "another password").status == 200);
}

TEST_CASE("Secrets of second factors are sealed anew with another key") {
  World world;
  const auto person = new_person(world);
  const auto sealed_by = [&] {
    return World::sql("SELECT split_part(secret, '.', 1) FROM second_factor WHERE person_id = '" + person.id() + "'");
  };
  const auto table = organizations::second_factor::sealed_table();
  const auto seed = identity::new_seed();
  const secrets::KeyRing both("newer:" + identity::to_base64(seed.data(), seed.size()) + "," + encryption_keys());
  const auto old = World::sql("SELECT secret FROM second_factor WHERE person_id = '" + person.id() + "'");
  const auto field = table.fields({}).at(0);
  const auto anew = both.seal(person.caller.person, field, both.open(person.caller.person, field, old));
  const auto save = [&](const std::string& from) {
    return world.run([](auto& in, auto& statement, auto who, auto was, auto is) -> awaitable<std::uint64_t> {
      const std::vector<std::optional<std::string>> before{was}, after{is};
      const auto results = co_await in.database.write(pg::Batch(statement, who, model::Uuid{}, before, after));
      co_return results.affected();
    }(world, table.save, person.caller.person, from, anew));
  };
  CHECK(save("test.other") == 0);  // it was sealed by the service meanwhile
  CHECK(sealed_by() == "test");
  CHECK(save(old) == 1);
  CHECK(sealed_by() == "newer");
}
