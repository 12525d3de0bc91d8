// A second factor at the gateway: signing in with it, and an organization that requires it.
#include <boost/json/serialize.hpp>
#include <chrono>
#include <thread>

#include "tests/e2e/world.hpp"
#include "tests/support/authenticator.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;
using support::authenticator_code;

namespace {

const std::string kPassword = "correct horse battery";
const auto kPasswordBody = boost::json::serialize(boost::json::object{{"password", kPassword}});

std::string text_at(const Answer& answer, std::string_view pointer) {
  const auto json = answer.json();
  return json.at_pointer({pointer.data(), pointer.size()}).as_string().c_str();
}

std::string code_body(const std::string& code) { return boost::json::serialize(boost::json::object{{"code", code}}); }

struct Person {
  std::string email = model::new_uuid().text() + "@second.example";
  std::string organization, token, secret, recovery_code;

  explicit Person(const std::string& name) {
    const boost::json::object account{
        {"name", "Ada"}, {"email", email}, {"password", kPassword}, {"organizationName", name}};
    const auto made = Client(world().system).post("/api/auth/register", boost::json::serialize(account));
    organization = text_at(made, "/organizations/0/uniqueId");
    token = text_at(made, "/session/token");
  }
  Answer sign_in(const std::string& code = {}) const {
    boost::json::object body{{"email", email}, {"password", kPassword}};
    if (!code.empty()) body["code"] = code;
    return Client(world().system).post("/api/auth/login", boost::json::serialize(body));
  }
  void switch_on() {
    Client client(world().system, token);
    secret = text_at(client.post("/api/user/second-factor", kPasswordBody), "/secondFactor/secret");
    const auto on = client.post("/api/user/second-factor/confirm", code_body(authenticator_code(secret)));
    REQUIRE_EQ(on.status, 200);
    recovery_code = text_at(on, "/recoveryCodes/0");
  }
};

// Whether an answer comes to be within moments.
void await(const std::function<bool()>& condition) {
  const auto limit = std::chrono::steady_clock::now() + 5s;
  while (!condition()) {
    REQUIRE(std::chrono::steady_clock::now() < limit);
    std::this_thread::sleep_for(10ms);
  }
}

}  // namespace

TEST_CASE("second factor: who has one signs in by password and code, or a recovery code, and no code twice") {
  Person ada("Second factors");
  ada.switch_on();
  const auto needed = ada.sign_in();
  CHECK_EQ(needed.status, 401);
  CHECK_EQ(text_at(needed, "/type"), "/docs/sign-in#code-needed");
  const auto code = authenticator_code(ada.secret, 1);  // that of now has switched it on
  const auto in = ada.sign_in(code);
  REQUIRE_EQ(in.status, 200);
  CHECK_EQ(Client(world().system, text_at(in, "/session/token")).get("/api/contacts").status, 200);
  CHECK_EQ(ada.sign_in(code).status, 401);
  CHECK_EQ(ada.sign_in(ada.recovery_code).status, 200);
  CHECK_EQ(ada.sign_in(ada.recovery_code).status, 401);

  Client client(world().system, ada.token);
  CHECK_EQ(client.get("/api/user").json().at_pointer("/user/secondFactor/recoveryCodesLeft"), boost::json::value(9));
  CHECK_EQ(client.post("/api/user/second-factor/disable", kPasswordBody).status, 204);
  CHECK_EQ(ada.sign_in().status, 200);
  for (auto* component : world().system.all()) {
    CHECK(component->log().find(ada.secret) == std::string::npos);
    CHECK(component->log().find(ada.recovery_code) == std::string::npos);
  }
}

TEST_CASE("second factor: an operator switches off that of who has lost it, and seals the others anew") {
  auto& system = world().system;
  Person ada("Lost"), grace("Kept");
  ada.switch_on();
  grace.switch_on();
  const auto run = [&](std::vector<std::string> arguments) {
    return system.run("organizations", std::move(arguments), system.organizations().environment);
  };
  run({"second-factor-off", "--email", ada.email});
  CHECK_EQ(ada.sign_in().status, 200);
  CHECK_EQ(grace.sign_in().status, 401);
  CHECK(run({"reseal", "--check"}).find(R"({"table":"second_factor","sealedWith":{")") != std::string::npos);
  CHECK_THROWS(run({"second-factor-off", "--email", ada.email}));
}

TEST_CASE("second factor: an organization that requires it closes to sessions without one within moments") {
  auto& system = world().system;
  Person owner("Requires it"), member("Elsewhere");
  system.sql("organizations")
      .rows(
          "INSERT INTO member (organization_id, id, person_id, access_level) SELECT $1, gen_random_uuid(), id, 'Admin' "
          "FROM person WHERE email = $2",
          {owner.organization, member.email});
  const Headers there{{"X-Organization-Id", owner.organization}};
  Client asks(system, member.token), owns(system, owner.token);
  CHECK_EQ(asks.get("/api/contacts", there).status, 200);
  const auto key = asks.post("/api/auth/api-keys", R"({"name":"for programs"})", there);
  Client program(system, text_at(key, "/apiKey/key"));

  const auto target = "/api/organization/" + owner.organization;
  CHECK_EQ(owns.post(target, R"({"requiresSecondFactor":true})").status, 409);
  owner.switch_on();
  CHECK_EQ(owns.post(target, R"({"requiresSecondFactor":true})").status, 200);
  await([&] { return asks.get("/api/contacts", there).status == 403; });
  const auto closed = asks.get("/api/campaigns", there);  // by each service
  CHECK_EQ(closed.status, 403);
  CHECK_EQ(text_at(closed, "/type"), "/docs/sign-in#second-factor-required");
  CHECK_EQ(asks.post(target, R"({"requiresSecondFactor":false})", there).status, 403);
  CHECK_EQ(asks.get("/api/user", there).status, 200);
  CHECK_EQ(asks.get("/api/contacts").status, 200);  // in their own organization
  CHECK_EQ(program.get("/api/contacts").status, 200);
  CHECK_EQ(owns.get("/api/contacts").status, 200);

  member.switch_on();
  await([&] { return asks.get("/api/contacts", there).status == 200; });
  CHECK_EQ(asks.post("/api/user/second-factor/disable", kPasswordBody).status, 204);
  await([&] { return asks.get("/api/contacts", there).status == 403; });
  CHECK_EQ(owns.post(target, R"({"requiresSecondFactor":false})").status, 200);
  await([&] { return asks.get("/api/contacts", there).status == 200; });
}
