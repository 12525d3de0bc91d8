// How often: requests of a key, of an address, and attempts to sign in.
#include <chrono>
#include <map>
#include <thread>

#include "tests/e2e/world.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;

namespace {

System& limited() {
  static System system({.replicas = 1,
                        .environment = {{"PARLEY_TRUSTED_PROXIES", "127.0.0.0/8"},
                                        {"PARLEY_RATE_LIMIT", "5"},
                                        {"PARLEY_RATE_BURST", "10"},
                                        {"PARLEY_RATE_LIMIT_ADDRESS", "10"},
                                        {"PARLEY_RATE_BURST_ADDRESS", "25"},
                                        {"PARLEY_RATE_FAILURES", "8"},
                                        {"PARLEY_SIGN_IN_ATTEMPTS", "3"},
                                        {"PARLEY_SIGN_IN_ATTEMPTS_ACCOUNT", "8"}}});
  return system;
}

// From an address, as a proxy in front would say.
Headers from(const std::string& address) { return {{"X-Forwarded-For", address}}; }

// The same until it is not held up by the address's own rate, which is not what is looked at.
Answer sign(Client& client, const std::string& what, const std::string& body, const std::string& address) {
  for (int tries = 0;; ++tries) {
    auto answer = client.post("/api/auth/" + what, body, from(address));
    if (answer.body.find("come faster") == std::string::npos || tries == 50) return answer;
    std::this_thread::sleep_for(100ms);
  }
}

struct Count {
  int good = 0, limited = 0;
  Answer last;
};
Count send(Client& client, int times, const std::string& address) {
  Count count;
  for (int i = 0; i < times; ++i) {
    auto answer = client.get("/api/organization", from(address));
    REQUIRE((answer.status == 200 || answer.status == 429));
    if (answer.status == 200) ++count.good;
    if (answer.status == 429) {
      ++count.limited;
      count.last = std::move(answer);
    }
  }
  return count;
}

}  // namespace

TEST_CASE("rates: a key has its own, wherever it is used from, and another key is not touched") {
  auto& system = limited();
  Client one(system, system.create_owner("one@example.com", "One").api_key);
  Client two(system, system.create_owner("two@example.com", "Two").api_key);
  const auto first = one.get("/api/organization", from("192.0.2.1"));
  CHECK(first.header("RateLimit-Policy") == "\"key\";q=10;w=2, \"address\";q=25;w=2");
  CHECK(first.header("RateLimit").starts_with("\"key\";r="));
  CHECK(first.header("RateLimit").find(", \"address\";r=") != std::string::npos);
  const auto count = [&] {
    Count sum;
    for (int i = 0; i < 60; ++i) {
      const auto each = send(one, 1, "192.0.2." + std::to_string(10 + i));
      sum.good += each.good;
      sum.limited += each.limited;
      if (each.limited) sum.last = each.last;
    }
    return sum;
  }();
  CHECK_GT(count.good, 0);
  REQUIRE_GT(count.limited, 0);
  CHECK(count.last.header("RateLimit").starts_with("\"key\";r=0"));
  CHECK_EQ(count.last.header("Retry-After"), "1");
  CHECK_EQ(two.get("/api/organization", from("192.0.2.1")).status, 200);
  const auto limit = std::chrono::steady_clock::now() + 20s;
  while (one.get("/api/organization", from("192.0.2.1")).status != 200) {
    REQUIRE(std::chrono::steady_clock::now() < limit);
    std::this_thread::sleep_for(100ms);
  }
}

TEST_CASE("rates: an address has its own, whatever keys are used from it, with and without Redis") {
  auto& system = limited();
  std::vector<Client> clients;
  for (int i = 0; i < 12; ++i)
    clients.emplace_back(system, system.create_owner("many" + std::to_string(i) + "@example.com", "Many").api_key);
  Client another(system, system.create_owner("another@example.com", "Another").api_key);
  const auto crowd = [&](const std::string& address) {
    int by_address = 0;
    for (int round = 0; round < 6; ++round)
      for (auto& client : clients) {
        const auto answer = client.get("/api/organization", from(address));
        if (answer.status == 429 && answer.header("RateLimit").starts_with("\"address\";r=0")) ++by_address;
      }
    return by_address;
  };
  CHECK_GT(crowd("198.51.100.1"), 0);
  CHECK_EQ(another.get("/api/organization", from("198.51.100.2")).status, 200);
  system.redis().stop();
  CHECK_GT(crowd("198.51.100.3"), 0);
  CHECK_EQ(Client(system).post("/api/auth/login", "{}", from("198.51.100.4")).status, 400);
  system.redis().start();
}

TEST_CASE("rates: routes without a credential count for the address alone") {
  auto& system = limited();
  Client nobody(system);
  const auto first = nobody.post("/api/auth/login", "{}", from("203.0.113.1"));
  CHECK_EQ(first.status, 400);
  CHECK_EQ(first.header("RateLimit-Policy"), "\"address\";q=25;w=2");
  int limited_answers = 0;
  for (int i = 0; i < 60; ++i)
    limited_answers += nobody.post("/api/auth/login", "{}", from("203.0.113.1")).status == 429;
  CHECK_GT(limited_answers, 0);
  CHECK_EQ(nobody.post("/api/auth/login", "{}", from("203.0.113.2")).status, 400);
}

TEST_CASE("rates: a /48 has that of an address, from whichever of its /64s requests come") {
  Client nobody(limited());
  const auto sign_in = [&](int site, int subnet) {
    const auto address = "2001:db8:" + std::to_string(site) + ':' + std::to_string(subnet) + "::1";
    return nobody.post("/api/auth/login", "{}", from(address)).status;
  };
  int limited_answers = 0;
  for (int i = 0; i < 60; ++i) limited_answers += sign_in(3, i) == 429;
  CHECK_GT(limited_answers, 0);
  CHECK_EQ(sign_in(4, 0), 400);
}

TEST_CASE("rates: refused credentials are counted by address") {
  auto& system = limited();
  Client stranger(system, "no-key");
  const std::string why = "too many refused credentials";
  int refused = 0;
  for (int tries = 0; refused < 8 && tries < 100; ++tries) {
    const auto answer = stranger.get("/api/organization", from("203.0.113.10"));
    refused += answer.status == 401;
    CHECK(answer.body.find(why) == std::string::npos);
    std::this_thread::sleep_for(120ms);  // below the address's own rate, which may hold up one all the same
  }
  CHECK_EQ(refused, 8);
  Answer held_up;
  for (int tries = 0; held_up.body.find(why) == std::string::npos && tries < 20; ++tries) {
    held_up = stranger.get("/api/organization", from("203.0.113.10"));
    REQUIRE_EQ(held_up.status, 429);
    std::this_thread::sleep_for(120ms);
  }
  CHECK(held_up.body.find(why) != std::string::npos);
  CHECK_EQ(stranger.get("/api/organization", from("203.0.113.11")).status, 401);
}

TEST_CASE("rates: refused credentials of a /48 are counted together, from whichever of its /64s they come") {
  auto& system = limited();
  Client stranger(system, "no-key");
  const auto refusal = [&](const std::string& address) {
    return stranger.get("/api/organization", from(address)).body.find("too many refused credentials");
  };
  int held_up = 0;
  for (int subnet = 0; subnet < 100 && held_up == 0; ++subnet) {
    held_up += refusal("2001:db8:1:" + std::to_string(subnet) + "::1") != std::string::npos;
    std::this_thread::sleep_for(120ms);  // below the rate of an address
  }
  CHECK_EQ(held_up, 1);
  CHECK_EQ(refusal("2001:db8:2::1"), std::string::npos);
}

TEST_CASE("rates: failures to sign in lock an account out for the address, and only after many for all") {
  auto& system = limited();
  Client client(system);
  const std::string account = R"({"name":"Ada","email":"guessed@example.com","password":"correct horse"})";
  const std::string right = R"({"email":"guessed@example.com","password":"correct horse"})";
  const std::string wrong = R"({"email":"guessed@example.com","password":"wrong horse"})";
  REQUIRE_EQ(sign(client, "register", account, "203.0.113.20").status, 201);
  for (int i = 0; i < 3; ++i) CHECK_EQ(sign(client, "login", wrong, "203.0.113.21").status, 401);
  const auto locked = sign(client, "login", right, "203.0.113.21");
  CHECK_EQ(locked.status, 429);
  CHECK(std::stoi(locked.header("Retry-After")) >= 1);
  CHECK_EQ(sign(client, "login", right, "203.0.113.22").status, 200);
  for (int i = 0; i < 8; ++i) sign(client, "login", wrong, "203.0.113." + std::to_string(30 + i));
  CHECK_EQ(sign(client, "login", right, "203.0.113.23").status, 429);
  CHECK_EQ(sign(client, "login", right, "203.0.113.22").status, 200);  // where its holder was before
}

TEST_CASE("rates: a new key has its burst at once, by a thousand connections, and is told what is left of it") {
  System system({.replicas = 2, .environment = {{"PARLEY_RATE_LIMIT", "500"}, {"PARLEY_RATE_BURST", "2000"}}});
  for (const std::size_t gateways : {1, 2}) {
    INFO(gateways << " gateways");
    const auto key = system.create_owner("crowd" + std::to_string(gateways) + "@example.com", "Crowd").api_key;
    const auto request = support::request_text("GET", "/api/organization", {{"Authorization", "Bearer " + key}});
    std::vector<Wire> wires;
    for (std::size_t i = 0; i < 1000; ++i)
      wires.emplace_back(system.gateway(i % gateways).port(), 20 + static_cast<unsigned>(i % 10));
    for (auto& wire : wires) wire.send(request);
    std::map<unsigned, int> statuses;
    for (auto& wire : wires) ++statuses[wire.read().value().status];
    CHECK_EQ(statuses[429], 0);
    CHECK_GT(statuses[200], 0);  // a service has no places for so many requests of one organization
    Client client(system, key);
    const auto told = client.get("/api/organization").header("RateLimit");
    REQUIRE(told.starts_with("\"key\";r="));
    CHECK_GE(std::stoi(told.substr(8)), 2000 - 1001 - 50);
    CHECK_LT(std::stoi(told.substr(8)), 2000);
  }
}
