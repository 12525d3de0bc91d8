// Keys are changed under load, each in the steps that the handbook gives, and no request fails.
#include <boost/json/serialize.hpp>

#include "tests/faults/option.hpp"
#include "tests/faults/traffic.hpp"
#include "tests/support/authenticator.hpp"

using namespace parley;
using namespace parley::faults;
using namespace std::chrono_literals;
using support::System;

namespace {

const std::vector<std::string> kServices{"contacts", "conversations", "organizations", "analytics"};

void set(support::Component& component, const std::string& name, const std::string& value) {
  for (auto& [known, old] : component.environment)
    if (known == name) old = value;
}

std::string value_of(const support::Component& component, const std::string& name) {
  for (const auto& [known, value] : component.environment)
    if (known == name) return value;
  return {};
}

// One process after the other, in good order.
void restart(System& system, const std::vector<std::string>& names, const std::string& variable,
             const std::string& value) {
  for (const auto& name : names)
    for (const std::size_t number : {0, 1}) {
      auto& component = system.component(name, number);
      set(component, variable, value);
      component.ask_to_end();
      CHECK_EQ(component.wait_for_end(), 0);
      component.start();
    }
}

// An answer without a part was too late, not refused.
void end(Traffic& traffic, Clock::time_point begin) {
  traffic.wait_for(200);
  traffic.stop();
  const auto all = traffic.summary(begin, Clock::now());
  MESSAGE(all);
  CHECK_EQ(all.failed(), 0);
  traffic.show_failures(begin);
  traffic.judge();
}

// A new 32-octet key in base64, as generate-key makes them.
std::pair<std::string, std::string> new_key(System& system) {
  const auto key = boost::json::parse(system.run("gateway", {"generate-key"}));
  return {key.at("private").as_string().c_str(), key.at("public").as_string().c_str()};
}

// Somebody whose second factor is on.
struct Person {
  std::string email = model::new_uuid().text() + "@sealed.example", secret;

  explicit Person(e2e::System& system) {
    const auto made = e2e::Client(system).post("/api/auth/register", body({{"name", "Ada"}, {"email", email}}));
    e2e::Client client(system, made.json().at("session").at("token").as_string().c_str());
    const auto begun = client.post("/api/user/second-factor", body({}));
    secret = begun.json().at("secondFactor").at("secret").as_string().c_str();
    const boost::json::object code{{"code", support::authenticator_code(secret)}};
    REQUIRE_EQ(client.post("/api/user/second-factor/confirm", boost::json::serialize(code)).status, 200);
  }
  // By the code of the next 30 s, as that of these has switched it on.
  unsigned sign_in(e2e::System& system) const {
    return e2e::Client(system)
        .post("/api/auth/login", body({{"email", email}, {"code", support::authenticator_code(secret, 1)}}))
        .status;
  }
  static std::string body(boost::json::object with) {
    with["password"] = "correct horse battery";
    return boost::json::serialize(with);
  }
};

}  // namespace

TEST_CASE("rotation: the gateway's identity key is changed in three steps, and no request fails" *
          doctest::skip(!is_long())) {
  System system({.replicas = 2, .environment = {{"PARLEY_DRAIN_NOTICE_MS", "300"}}});
  const auto trusted = value_of(system.contacts(), "PARLEY_IDENTITY_TRUSTED");
  const auto [next, next_public] = new_key(system);
  Traffic traffic(system, "Rotated");
  traffic.wait_for(200);
  const auto begin = Clock::now();
  const auto both = trusted + ",gateway=" + next_public;
  auto processes = kServices;
  processes.push_back("dispatcher");
  restart(system, processes, "PARLEY_IDENTITY_TRUSTED", both);
  restart(system, {"gateway"}, "PARLEY_IDENTITY_KEY", next);
  auto only = both;
  const auto old = only.find("gateway=");
  only.erase(old, only.find(',', old) == only.npos ? only.npos : only.find(',', old) - old + 1);
  REQUIRE(only.find("gateway=" + next_public) != only.npos);
  REQUIRE(only.find("gateway=", only.find("gateway=") + 1) == only.npos);
  restart(system, processes, "PARLEY_IDENTITY_TRUSTED", only);
  end(traffic, begin);
}

TEST_CASE("rotation: secrets are sealed anew with another key beside the running services, and the old key goes" *
          doctest::skip(!is_long())) {
  System system({.replicas = 2, .environment = {{"PARLEY_DRAIN_NOTICE_MS", "300"}}});
  const std::string variable = "PARLEY_ENCRYPTION_KEYS";
  const auto old = value_of(system.organizations(), variable);
  const auto next = "next:" + new_key(system).first;
  const std::vector<std::string> processes{"organizations", "conversations", "dispatcher"};
  Traffic traffic(system, "Sealed");
  traffic.wait_for(100);
  e2e::Channel channel(system, "sealed-channel", "200000000008001");
  e2e::Client owner(system, channel.api_key());
  for (int i = 0; i < 3; ++i) {
    const auto made = owner.post("/api/webhooks", R"({"url": "http://127.0.0.1:1/", "events": ["message.created"]})");
    REQUIRE_MESSAGE(made.status == 201, made.body);
    if (i == 0)
      owner.post(
          "/api/webhooks/" + std::string(made.json().at("webhook").at("uniqueId").as_string()) + "/rotate-secret", "");
  }
  const auto token = [&] {
    const auto answer = owner.get("/api/organization/" + channel.organization());
    REQUIRE_MESSAGE(answer.status == 200, answer.body);
    return boost::json::serialize(
        answer.json().at("organization").at("messagingBusinessAccountDetails").at("accessToken"));
  };
  const auto before = token();
  const Person person(system);
  const auto run = [&](const std::string& service, std::vector<std::string> arguments) {
    return system.run(service, arguments, system.component(service, 0).environment);
  };
  const auto fails = [&](const std::string& service) {
    CHECK_THROWS_AS(run(service, {"reseal", "--check"}), std::runtime_error);
  };
  const auto begin = Clock::now();
  restart(system, processes, variable, old + "," + next);
  restart(system, processes, variable, next + "," + old);
  for (const std::string service : {"organizations", "conversations"}) {
    fails(service);
    const auto said = run(service, {"reseal"});
    MESSAGE(said);
    CHECK(said.find("all secrets are sealed with next") != said.npos);
    CHECK(said.find("\"test\"") == said.npos);
    CHECK(run(service, {"reseal", "--check"}).find("\"rowsResealed\":0") != std::string::npos);
  }
  restart(system, processes, variable, next);
  CHECK_EQ(token(), before);
  CHECK_EQ(person.sign_in(system), 200);
  end(traffic, begin);
}
