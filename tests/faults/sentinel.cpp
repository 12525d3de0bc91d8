// The whole system over a Redis that sentinels keep, under load: its master is killed and another takes its place; the
// old one comes back as a master that nobody asked for.
#include "tests/faults/option.hpp"
#include "tests/faults/traffic.hpp"
#include "tests/support/sentinels.hpp"

using namespace parley;
using namespace parley::faults;
using namespace std::chrono_literals;
using support::Sentinels;
using support::System;

namespace {

constexpr double kBurst = 300, kRate = 100;  // of a credential

bool all_up(System& system) {
  bool out = true;
  for (const std::size_t number : {0, 1})
    for (auto* component : {&system.gateway(number), &system.contacts(number)})
      out = out && component->metric("redis_up") == 1;
  return out;
}

double degraded(System& system) {
  double out = 0;
  for (const std::size_t number : {0, 1})
    out += system.gateway(number).metric("ratelimit_decisions_total", "decision=\"degraded\"");
  return out;
}

// Asks both gateways in turn as fast as they answer, until one says 429; how many were let through.
int let_through(System& system, const std::string& key, double& seconds) {
  const auto begin = Clock::now();
  int out = 0;
  support::Wire wires[2]{support::Wire(system.gateway(0).port()), support::Wire(system.gateway(1).port())};
  for (;; ++out) {
    auto& wire = wires[out % 2];
    wire.send(support::request_text("GET", "/api/tags", {{"Authorization", "Bearer " + key}}));
    const auto answer = wire.read();
    REQUIRE(answer);
    seconds = seconds_since(begin);
    if (answer->status == 429) return out;
    REQUIRE_EQ(answer->status, 200);
    REQUIRE(seconds < 30);
  }
}

}  // namespace

TEST_CASE("sentinel: Redis fails over under load; every answer is right, and limits hold again after" *
          doctest::skip(!is_long())) {
  Sentinels redis;
  System system({.replicas = 2,
                 .environment = {{"PARLEY_REDIS_URL", redis.url()},
                                 {"PARLEY_RATE_LIMIT", std::to_string(int(kRate))},
                                 {"PARLEY_RATE_BURST", std::to_string(int(kBurst))}}});
  Traffic traffic(system, "Watched",
                  {.readers = 1, .writers = 1, .uploaders = 0, .callers_back = 1, .streams = 1, .pause = 60ms});
  e2e::wait_for("Redis is found", [&] { return all_up(system); });
  traffic.wait_for(50);
  const auto tell = [&](const std::string& what, Clock::time_point begin) {
    const auto seen = traffic.summary(begin, Clock::now());
    MESSAGE(what << ": " << seen << "; rate decisions without Redis so far: " << degraded(system));
    CHECK_EQ(seen.failures, 0);
    traffic.show_failures(begin);
  };
  // Two gateways let through what one may, as they count together.
  const auto check_limit = [&](const std::string& when, const std::string& organization) {
    const auto owner = system.create_owner(organization + "@example.com", organization);
    double seconds = 0;
    const int count = let_through(system, owner.api_key, seconds);
    MESSAGE(when << ", two gateways let " << count << " requests of a new credential through in " << seconds
                 << " s (burst " << kBurst << ", " << kRate << " a second)");
    CHECK(count <= kBurst + kRate * (seconds + 1) + 100);  // what they have leased ahead
  };
  check_limit("before", "limited-one");

  auto begin = Clock::now();
  auto& first = redis.master();
  auto& second = redis.server(redis.other(first.port()));
  first.kill();
  e2e::wait_for("Redis is away", [&] { return !all_up(system); });
  e2e::wait_for("Redis is found again", [&] { return all_up(system); });
  MESSAGE("all found the new master " << seconds_since(begin) << " s after the old one was killed");
  redis.wait_for_master(second.port());
  traffic.wait_for(100);
  tell("killed and failed over", begin);
  const auto before = degraded(system);
  check_limit("after the failover", "limited-two");
  CHECK_EQ(degraded(system), before);
  CHECK(second.command("DBSIZE") != ":0\r\n");

  begin = Clock::now();
  first.start();
  redis.wait_for_replica(first.port());
  traffic.wait_for(100);
  tell("the old master back, as a replica by now", begin);
  CHECK(all_up(system));
  CHECK_EQ(redis.master_port(), second.port());

  // The same the other way round, while one sentinel is dead.
  redis.sentinel(0).kill();
  begin = Clock::now();
  second.kill();
  e2e::wait_for("Redis is away", [&] { return !all_up(system); });
  e2e::wait_for("Redis is found again", [&] { return all_up(system); });
  MESSAGE("with two sentinels: found " << seconds_since(begin) << " s after");
  traffic.wait_for(100);
  tell("failed back with two sentinels", begin);
  check_limit("after that", "limited-three");
  traffic.stop();
  traffic.judge();
}
