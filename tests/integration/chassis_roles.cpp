// A program run in another role: its own work, and no port but the admin's.
#include <csignal>

#include "tests/integration/chassis_bed.hpp"

using namespace parley;
using namespace parley::chassis_tests;

TEST_CASE("process: a role has the service's name and its own, an admin port, and no other") {
  Running running({{"PARLEY_LISTEN", "nowhere"}}, {"work"});
  auto admin = running.admin();
  const auto ready = admin.ask(get("/readyz"));
  REQUIRE(ready);
  CHECK(ready->status == 200);
  const auto metrics = admin.ask(get("/metrics"));
  REQUIRE(metrics);
  CHECK(metrics->body.find("\",role=\"work\",version=") != std::string::npos);
  CHECK(metrics->body.find("http_connections_open") == std::string::npos);
  CHECK(running.written().find(R"("service":"sample","role":"work","msg":"running")") != std::string::npos);
  CHECK(running.written().find("\"port\":") == std::string::npos);
  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
  CHECK(running.written().find("\"msg\":\"stopped\"") != std::string::npos);
}

TEST_CASE("process: a role's configuration is its own, and is checked without running it") {
  for (const auto& arguments : {std::vector<std::string>{"work", "--check-config"}, {"--check-config", "work"}}) {
    Running good({{"PARLEY_SAMPLE_NUMBER", "99"}}, arguments);
    CHECK(good.wait() == 0);
    Running bad({{"PARLEY_WORK_NUMBER", "99"}}, arguments);
    CHECK(bad.wait() == 2);
  }
  Running both({}, {"serve", "work"});
  CHECK(both.wait() != 0);
}
