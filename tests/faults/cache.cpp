// Redis dead, hung, emptied, full, read-only and not for us under load: answers stay right, and as quick as they were.
// That totals are right whatever it does is tested in tests/integration/contacts_counts.cpp and tests/e2e/degraded.cpp.
#include "tests/faults/option.hpp"
#include "tests/faults/traffic.hpp"

using namespace parley;
using namespace parley::faults;
using namespace std::chrono_literals;
using support::System;

TEST_CASE("cache: whatever Redis does, requests are answered, and hardly later" * doctest::skip(!is_long())) {
  // The rate is the default one: with a higher one what was leased before would outlast the fault.
  System system({.replicas = 2, .environment = {{"PARLEY_RATE_LIMIT", "1000"}, {"PARLEY_RATE_REPLICAS", "2"}}});
  Traffic traffic(system, "Cached", {.pause = 10ms});
  traffic.wait_for(500);
  auto& redis = system.redis();
  const std::vector<std::pair<std::string, std::function<void()>>> faults{
      {"as it should be", [] {}},
      {"emptied", [&] { redis.flush(); }},
      {"killed", [&] { redis.kill(); }},
      {"started", [&] { redis.start(); }},
      {"hung", [&] { redis.pause(); }},
      {"awake", [&] { redis.resume(); }},
      {"full (-OOM)", [&] { redis.command("CONFIG SET maxmemory 1"); }},
      {"not full", [&] { redis.command("CONFIG SET maxmemory 0"); }},
      {"read-only (-READONLY)", [&] { redis.command("REPLICAOF 127.0.0.1 1"); }},
      {"its own master", [&] { redis.command("REPLICAOF NO ONE"); }},
      {"not for us (-NOPERM)", [&] { redis.command("ACL SETUSER default -eval"); }},
      {"for us", [&] { redis.command("ACL SETUSER default +@all"); }},
  };
  const auto degraded = [&] { return system.gateway(0).metric("ratelimit_decisions_total", "degraded"); };
  for (const auto& [name, happens] : faults) {
    INFO(name);
    const auto before = degraded();
    const auto begin = Clock::now();
    happens();
    std::this_thread::sleep_for(4s);
    const auto seen = traffic.summary(begin, begin + 4s);
    MESSAGE("Redis " << name << ": " << seen
                     << "; lists of contacts: " << traffic.summary(begin, begin + 4s, "contacts")
                     << "; rate decisions without it: " << degraded() - before);
    traffic.check_served(begin);
  }
  traffic.stop();
  traffic.judge();
}
