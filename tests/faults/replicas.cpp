// Replicas that die and hang without warning under a mixed load: what is lost is what was under way, what is asked
// again is answered, and it is over soon.
#include <algorithm>

#include "tests/faults/option.hpp"
#include "tests/faults/traffic.hpp"

using namespace parley;
using namespace parley::faults;
using namespace std::chrono_literals;
using support::System;

namespace {

const std::vector<std::string> kServices{"contacts", "conversations", "organizations", "analytics"};

std::size_t reads_failed(const std::vector<Sample>& failures) {
  return static_cast<std::size_t>(std::count_if(failures.begin(), failures.end(), [](auto& each) {
    return each.failure.starts_with("GET") && each.status != 200;
  }));
}

}  // namespace

TEST_CASE("replicas: one killed costs no read but what was on its way through a gateway, and it is over soon") {
  System system({.replicas = 2, .environment = {}});
  Traffic traffic(system, "Killed");
  traffic.wait_for(200);
  auto kinds = kServices;
  kinds.insert(kinds.end(), {"dispatcher", "gateway"});
  for (const auto& name : kinds) {
    INFO(name);
    const auto begin = Clock::now();
    system.component(name, 0).kill();
    traffic.wait_for(is_long() ? 2'000 : 300);
    system.component(name, 0).start();
    traffic.wait_for(100);
    const auto failures = traffic.failures(begin);
    const auto seen = traffic.summary(begin, Clock::now());
    const double over = seen.failures == 0 ? 0 : std::chrono::duration<double>(seen.last_failure - begin).count();
    MESSAGE("kill -9 of " << name << ": " << seen << "; of reads " << reads_failed(failures) << "; over after "
                          << std::max(over, 0.0) << " s");
    // A gateway takes what was on its way through it with it.
    CHECK_LE(reads_failed(failures), name == "gateway" ? 4 : 0);
    CHECK_LT(over, 30);
    traffic.show_failures(begin);
  }
  traffic.stop();
  traffic.judge();
}

TEST_CASE("replicas: with all of a service dead its own routes are a quick 503, and no others are touched" *
          doctest::skip(!is_long())) {
  System system({.replicas = 2, .environment = {}});
  TrafficSettings calm{.readers = 0, .writers = 0, .uploaders = 0, .callers_back = 0, .streams = 0};
  Traffic traffic(system, "Dead", calm);
  const auto& o = traffic.organization();
  const std::vector<std::pair<std::string, std::string>> routes{
      {"contacts", "/api/contacts?per_page=5"},
      {"conversations", "/api/conversation/" + o.conversations[1]},
      {"organizations", "/api/organization"},
      {"analytics", "/api/analytics/campaigns"}};
  e2e::Client client(system, o.owner.api_key);
  client.may_fail = true;
  for (const auto& [dead, own] : routes) {
    INFO(dead);
    for (const std::size_t number : {0, 1}) system.component(dead, number).kill();
    std::vector<double> times;
    for (int i = 0; i < 200; ++i) {
      const auto begin = Clock::now();
      const auto answer = client.get(own);
      times.push_back(seconds_since(begin) * 1000);
      CHECK_EQ(answer.status, 503);
      CHECK_EQ(answer.header("Content-Type"), "application/problem+json");
      CHECK_FALSE(answer.header("Retry-After").empty());
    }
    std::sort(times.begin(), times.end());
    MESSAGE("without " << dead << ": 503, median " << times[100] << " ms, p99 " << times[197] << " ms");
    for (const auto& [name, target] : routes)
      if (name != dead) CHECK_EQ(client.get(target).status, 200);
    const auto begin = Clock::now();
    for (const std::size_t number : {0, 1}) system.component(dead, number).start();
    e2e::wait_for("it is back", [&] {
      const auto answer = client.get(own);
      return answer.status == 200 && !answer.has("Parley-Degraded");
    });
    MESSAGE(dead << " is back " << seconds_since(begin) << " s after its start began");
  }
}

TEST_CASE("replicas: one that hangs is left alone after a few requests, and answers are as quick as before" *
          doctest::skip(!is_long())) {
  System system({.replicas = 2, .environment = {}});
  Traffic traffic(system, "Hung", {.readers = 6, .writers = 1, .uploaders = 0, .callers_back = 0, .streams = 0});
  traffic.wait_for(500);
  for (const auto& name : kServices) {
    INFO(name);
    const auto before = traffic.summary(Clock::now() - 2s, Clock::now());
    const auto begin = Clock::now();
    system.component(name, 0).pause();
    std::this_thread::sleep_for(20s);
    std::string course;
    for (int second = 0; second < 20; second += 2) {
      const auto from = begin + std::chrono::seconds(second);
      const auto part = traffic.summary(from, from + 2s);
      course += " " + std::to_string(static_cast<int>(part.p99)) + "/" + std::to_string(part.failures);
    }
    const auto last = traffic.summary(begin + 15s, begin + 20s);
    system.component(name, 0).resume();
    traffic.wait_for(500);
    const auto after = traffic.summary(Clock::now() - 1s, Clock::now());
    MESSAGE("SIGSTOP of " << name << ", p99 in ms/failures each 2 s:" << course << "; before " << before
                          << "; from 15 s on " << last << "; awake again " << after);
    CHECK_LT(last.median, 10 * before.median + 100);
    CHECK_LE(last.failures * 50, last.requests);
    traffic.show_failures(begin);
  }
  traffic.stop();
  traffic.judge();
}

TEST_CASE("replicas: what one replica wrote every other reads at once, through either gateway") {
  System system({.replicas = 2, .environment = {}});
  const auto owner = system.create_owner("both@example.com", "Both");
  e2e::Client first(system, owner.api_key, 0), second(system, owner.api_key, 1);
  for (int i = 0; i < (is_long() ? 500 : 50); ++i) {
    auto& here = i % 2 == 0 ? first : second;
    auto& there = i % 2 == 0 ? second : first;
    const auto name = "list " + std::to_string(i);
    const auto made = here.post("/api/lists", R"({"name":")" + name + "\"}");
    REQUIRE_EQ(made.status, 201);
    const std::string id = made.json().at("list").at("uniqueId").as_string().c_str();
    for (int times = 0; times < 2; ++times) {  // two replicas take turns, more or less
      CHECK_EQ(there.get("/api/lists/" + id).status, 200);
      CHECK_EQ(there.get("/api/lists?per_page=1").json().at("paginationMeta").at("total").as_int64(), i + 1);
    }
    CHECK_EQ(there.post("/api/lists/" + id, R"({"name":"changed"})").status, 200);
    CHECK_EQ(here.get("/api/lists/" + id).json().at("list").at("name"), "changed");
  }
}
