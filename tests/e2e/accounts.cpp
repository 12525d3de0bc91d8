// Whose an account is: addresses that somebody else was first with, passwords that API keys ask for, and strangers who
// would lock people out.
#include <algorithm>
#include <atomic>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <functional>
#include <thread>

#include "tests/e2e/world.hpp"

using namespace parley;
using namespace parley::e2e;

namespace {

namespace json = boost::json;

const std::string kAttackers = "the attacker's own", kCeos = "correct horse battery";

std::string new_email() { return model::new_uuid().text() + "@victim.example"; }

std::string text_at(const Answer& answer, std::string_view pointer) {
  const auto body = answer.json();
  return body.at_pointer({pointer.data(), pointer.size()}).as_string().c_str();
}

std::string login(const std::string& email, const std::string& password) {
  return json::serialize(json::object{{"email", email}, {"password", password}});
}
std::string new_password(const std::string& token, const std::string& password) {
  return json::serialize(json::object{{"token", token}, {"password", password}});
}

// What an operator's command prints.
json::value operate(System& system, const std::vector<std::string>& arguments) {
  return json::parse(system.run("organizations", arguments, system.organizations().environment));
}
json::value create_owner(System& system, const std::string& email, const std::string& organization) {
  return operate(system,
                 {"create-owner", "--name", "Cleo", "--email", email, "--organization", organization, "--if-missing"});
}
std::string text_of(const json::value& object, const char* name) { return object.at(name).as_string().c_str(); }

// Whether it came true in time.
bool until(const std::function<bool()>& condition) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::yield();
  }
  return true;
}

Headers in(const std::string& organization) { return {{"X-Organization-Id", organization}}; }

// Somebody who has accepted, in somebody else's name, an invitation to an organization of their own.
struct Squatter {
  explicit Squatter(System& system_, const Organization& own, const std::string& email_)
      : system(system_), email(email_) {
    Client owner(system, own.owner.api_key), nobody(system);
    const auto invite = owner.post("/api/organization/invites",
                                   json::serialize(json::object{{"email", email}, {"accessLevel", "Admin"}}));
    REQUIRE_EQ(invite.status, 201);
    const json::object join{{"token", text_at(invite, "/token")}, {"name", "Mallory"}, {"password", kAttackers}};
    REQUIRE_EQ(nobody.post("/api/auth/join-organization", json::serialize(join)).status, 201);
    const auto signed_in = nobody.post("/api/auth/login", login(email, kAttackers));
    REQUIRE_EQ(signed_in.status, 200);
    session = text_at(signed_in, "/session/token");
    const auto made = Client(system, session).post("/api/auth/api-keys", R"({"name":"kept"})");
    REQUIRE_EQ(made.status, 201);
    key = text_at(made, "/apiKey/key");
  }

  // Whether any of what they have acts there.
  bool acts_in(const std::string& organization) {
    bool acts = false;
    for (const auto& credential : {session, key})
      acts = acts || Client(system, credential).get("/api/contacts", in(organization)).status == 200;
    const auto again = Client(system).post("/api/auth/login", login(email, kAttackers));
    if (again.status != 200) return acts;
    return acts ||
           Client(system, text_at(again, "/session/token")).get("/api/contacts", in(organization)).status == 200;
  }

  System& system;
  std::string email, session, key;
};

}  // namespace

TEST_CASE("accounts: who was first with an address has nothing of what an operator makes for it") {
  auto& [system, a, b] = world();
  const auto email = new_email();
  Squatter mallory(system, a, email);
  const auto made = create_owner(system, email, "Victim");
  const auto victim = text_of(made, "organizationId");
  CHECK(made.at("takenOver").as_bool());
  CHECK_FALSE(mallory.acts_in(victim));
  for (const auto& credential : {mallory.session, mallory.key})
    CHECK(until([&] { return Client(system, credential).get("/api/contacts").status == 401; }));
  Client nobody(system);
  CHECK_EQ(nobody.post("/api/auth/login", login(email, kAttackers)).status, 401);
  CHECK_EQ(Client(system, text_of(made, "apiKey")).get("/api/contacts").status, 200);

  // Who has the operator's token is who the address belongs to.
  const auto token = text_of(made, "passwordToken");
  CHECK_EQ(nobody.post("/api/auth/password", new_password(token, kCeos)).status, 204);
  CHECK_EQ(nobody.post("/api/auth/password", new_password(token, kAttackers)).status, 400);
  const auto signed_in = nobody.post("/api/auth/login", login(email, kCeos));
  REQUIRE_EQ(signed_in.status, 200);
  CHECK_EQ(text_at(signed_in, "/organizations/0/uniqueId"), victim);  // before what somebody else brought them to
  CHECK_EQ(text_at(signed_in, "/user/name"), "Cleo");
  Client ceo(system, text_at(signed_in, "/session/token"));
  CHECK_EQ(text_at(ceo.get("/api/organization/" + victim), "/organization/uniqueId"), victim);
  CHECK_FALSE(mallory.acts_in(victim));
  // It is told where they were a member before.
  const auto audited = [&](const std::string& action, const std::string& organization) {
    return system.sql("organizations")
        .number(
            "SELECT count(*) FROM audit WHERE organization_id = $1 AND action = $2 AND member_id IS NULL AND subject "
            "IN ($3, 'kept')",
            {organization, action, email});
  };
  CHECK_EQ(audited("AccountTakenOver", a.id), 1);
  CHECK_EQ(audited("ApiKeyDeleted", a.id), 1);
}

TEST_CASE("accounts: an organization that a stranger made in somebody's name is not the one that an operator makes") {
  auto& [system, a, b] = world();
  const auto email = new_email();
  const json::object account{
      {"name", "Mallory"}, {"email", email}, {"password", kAttackers}, {"organizationName", "Victim"}};
  const auto registered = Client(system).post("/api/auth/register", json::serialize(account));
  REQUIRE_EQ(registered.status, 201);
  const auto made = create_owner(system, email, "Victim");
  CHECK_NE(text_of(made, "organizationId"), text_at(registered, "/organizations/0/uniqueId"));
  CHECK(made.at("apiKey").is_string());
  // Again, it is the operator's.
  const auto again = create_owner(system, email, "Victim");
  CHECK_EQ(text_of(again, "organizationId"), text_of(made, "organizationId"));
  CHECK(again.at("apiKey").is_null());
  CHECK_EQ(Client(system, text_of(made, "apiKey")).get("/api/contacts").status, 200);
}

TEST_CASE("accounts: an operator's member is not who was first with the address either") {
  auto& [system, a, b] = world();
  const auto email = new_email();
  Squatter mallory(system, a, email);
  const auto made = operate(
      system, {"add-member", "--name", "Cleo", "--email", email, "--organization", b.id, "--access-level", "Owner"});
  CHECK_FALSE(mallory.acts_in(b.id));
  CHECK_EQ(Client(system, text_of(made, "apiKey")).get("/api/contacts").status, 200);
}

TEST_CASE("accounts: what somebody hurries to do while their account is taken over leaves them nothing") {
  auto& [system, a, b] = world();
  for (int round = 0; round < 3; ++round) {
    const auto email = new_email();
    Squatter mallory(system, a, email);
    std::atomic<bool> over = false;
    std::vector<std::vector<std::string>> gained(5);
    std::vector<std::thread> hands;
    const auto hurry = [&](std::size_t hand, const std::string& method, const std::string& target,
                           const std::string& body, const char* secret) {
      hands.emplace_back([&, hand, method, target, body, secret] {
        Wire wire(system.gateway().port());
        const Headers headers{{"Authorization", "Bearer " + mallory.session}, {"Content-Type", "application/json"}};
        while (!over) {
          wire.send(support::request_text(method, target, headers, body));
          const auto answer = wire.read();
          if (!answer) return;
          if (answer->status == 200 || answer->status == 201) gained[hand].push_back(text_at(*answer, secret));
        }
      });
    };
    hurry(0, "POST", "/api/auth/api-keys", R"({"name":"one more"})", "/apiKey/key");
    hurry(1, "POST", "/api/user", R"({"password":"another password"})", "/user/uniqueId");
    hurry(2, "POST", "/api/auth/login", login(email, kAttackers), "/session/token");
    hurry(3, "POST", "/api/user", json::serialize(json::object{{"password", kAttackers}, {"oldPassword", kAttackers}}),
          "/user/uniqueId");
    hurry(4, "GET", "/api/auth/api-keys/regenerate", "", "/apiKey/key");
    const auto done = [&] {
      return system.sql("organizations")
          .number(
              "SELECT count(*) FROM credential c JOIN member m ON m.id = c.member_id JOIN person p ON p.id = "
              "m.person_id WHERE p.email = $1",
              {email});
    };
    CHECK(until([&] { return done() > 10; }));
    const auto victim = text_of(create_owner(system, email, "Victim"), "organizationId");
    // Until no gateway lets the session in.
    CHECK(until([&] { return Client(system, mallory.session).get("/api/user").status == 401; }));
    over = true;
    for (auto& hand : hands) hand.join();
    CHECK_FALSE(mallory.acts_in(victim));
    for (const auto hand : {0, 2, 4})
      for (const auto& credential : gained[static_cast<std::size_t>(hand)])
        CHECK_NE(Client(system, credential).get("/api/contacts", in(victim)).status, 200);
    CHECK_EQ(Client(system).post("/api/auth/login", login(email, "another password")).status, 401);
  }
}

TEST_CASE("accounts: an invitation is no way to an account that somebody else has, nor the account to the invitation") {
  auto& [system, a, b] = world();
  const auto email = new_email();
  Squatter mallory(system, a, email);
  Client owner(system, b.owner.api_key), nobody(system);
  const auto invite = owner.post("/api/organization/invites", json::serialize(json::object{{"email", email}}));
  const json::object join{{"token", text_at(invite, "/token")}, {"name", "Cleo"}, {"password", kCeos}};
  CHECK_FALSE(mallory.acts_in(b.id));
  CHECK_EQ(nobody.post("/api/auth/join-organization", json::serialize(join)).status, 409);
  CHECK_EQ(nobody.post("/api/auth/login", login(email, kCeos)).status, 401);
  CHECK_FALSE(mallory.acts_in(b.id));

  // The address's holder gets the account by an operator's token, and joins then.
  const auto token = text_of(operate(system, {"password-token", "--email", email}), "passwordToken");
  CHECK_EQ(Client(system, mallory.key).get("/api/contacts").status, 200);  // nothing ends before it is used
  REQUIRE_EQ(nobody.post("/api/auth/password", new_password(token, kCeos)).status, 204);
  const auto signed_in = nobody.post("/api/auth/login", login(email, kCeos));
  REQUIRE_EQ(signed_in.status, 200);
  Client ceo(system, text_at(signed_in, "/session/token"));
  CHECK_EQ(ceo.post("/api/auth/join-organization", json::serialize(join)).status, 201);
  CHECK_EQ(ceo.get("/api/user", in(b.id)).status, 200);
  CHECK_FALSE(mallory.acts_in(b.id));
}

TEST_CASE("accounts: an API key becomes nobody's password") {
  auto& [system, a, b] = world();
  const auto email = new_email();
  const auto made = create_owner(system, email, "Keys");
  Client key(system, text_of(made, "apiKey")), nobody(system);
  const auto refused = key.post("/api/user", R"({"password":"the key's own"})");
  CHECK_EQ(refused.status, 403);
  CHECK(refused.body.find("/api/auth/password") != std::string::npos);
  CHECK_EQ(nobody.post("/api/auth/login", login(email, "the key's own")).status, 401);
  CHECK_EQ(key.post("/api/user", R"({"name":"Cleo K"})").status, 200);

  REQUIRE_EQ(nobody.post("/api/auth/password", new_password(text_of(made, "passwordToken"), kCeos)).status, 204);
  CHECK_EQ(key.get("/api/contacts").status, 200);  // the operator's, as its holder is
  const auto session = text_at(nobody.post("/api/auth/login", login(email, kCeos)), "/session/token");
  const json::object change{{"password", "another password"}, {"oldPassword", kCeos}};
  CHECK_EQ(Client(system, session).post("/api/user", json::serialize(change)).status, 200);
  const auto entries = key.get("/api/organization/audit?action=PasswordChanged").json();
  CHECK_EQ(entries.at("entries").as_array().size(), 2);
  CHECK_EQ(entries.at_pointer("/entries/0/subject"), json::value(email));
  CHECK_EQ(entries.at_pointer("/entries/0/memberId"), made.at("memberId"));
}

TEST_CASE("accounts: a token that is used many times at once sets one password") {
  auto& [system, a, b] = world();
  const auto email = new_email();
  const auto token = text_of(create_owner(system, email, "Once"), "passwordToken");
  std::vector<unsigned> statuses(6);
  std::vector<std::thread> crowd;
  for (std::size_t i = 0; i < statuses.size(); ++i)
    crowd.emplace_back([&, i] {
      Wire wire(system.gateway().port());
      wire.send(support::request_text("POST", "/api/auth/password", {{"Content-Type", "application/json"}},
                                      new_password(token, "password number " + std::to_string(i))));
      statuses[i] = wire.read().value().status;
    });
  for (auto& each : crowd) each.join();
  for (const auto status : statuses) CHECK((status == 204 || status == 400));
  REQUIRE_EQ(std::ranges::count(statuses, 204), 1);
  const auto set = static_cast<std::size_t>(std::ranges::find(statuses, 204) - statuses.begin());
  const auto signs_in = [&](std::size_t i) {
    return Client(system).post("/api/auth/login", login(email, "password number " + std::to_string(i))).status == 200;
  };
  CHECK(signs_in(set));  // first: wrong passwords lead to pauses
  for (std::size_t i = 0; i < statuses.size(); ++i)
    if (i != set) CHECK_FALSE(signs_in(i));
}

TEST_CASE("accounts: strangers do not lock anybody out of where they signed in before") {
  System system(
      {.replicas = 1,
       .environment = {{"PARLEY_TRUSTED_PROXIES", "127.0.0.0/8"}, {"PARLEY_SIGN_IN_ATTEMPTS_ACCOUNT", "30"}}});
  Client client(system);
  const auto from = [](const std::string& address) { return Headers{{"X-Forwarded-For", address}}; };
  const auto email = new_email();
  const json::object account{{"name", "Cleo"}, {"email", email}, {"password", kCeos}};
  const std::string home = "2001:db8:1:1::7", neighbour = "2001:db8:1:2::7", elsewhere = "198.51.100.7";
  REQUIRE_EQ(client.post("/api/auth/register", json::serialize(account), from(elsewhere)).status, 201);
  REQUIRE_EQ(client.post("/api/auth/login", login(email, kCeos), from(home)).status, 200);
  const auto guess = [&](const std::string& address) {
    return client.post("/api/auth/login", login(email, "wrong"), from(address)).status;
  };

  INFO("one /56 does not use up what all together have");
  for (int subnet = 0; subnet < 50; ++subnet) guess("2001:db8:2:" + std::to_string(subnet) + "::1");
  CHECK_EQ(guess("2001:db8:2:aa::1"), 429);
  CHECK_EQ(client.post("/api/auth/login", login(email, kCeos), from("198.51.100.99")).status, 200);

  INFO("many networks do, but not of those that the account is known from");
  for (int site = 0; site < 40; ++site) guess("2001:db8:" + std::to_string(100 + site) + "::1");
  CHECK_EQ(guess("198.51.100.98"), 429);
  CHECK_EQ(guess(neighbour), 429);
  for (const auto& known : {home, elsewhere, std::string("198.51.100.99")})
    CHECK_EQ(client.post("/api/auth/login", login(email, kCeos), from(known)).status, 200);
  // Where they are known from, too, guessing is slowed down.
  for (int i = 0; i < 5; ++i) CHECK_EQ(guess(home), 401);
  CHECK_EQ(guess(home), 429);
  CHECK_EQ(client.post("/api/auth/login", login(email, kCeos), from(elsewhere)).status, 200);
}
