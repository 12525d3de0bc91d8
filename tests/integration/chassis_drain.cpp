// How a process made of the chassis ends.
#include <csignal>

#include "tests/integration/chassis_bed.hpp"

using namespace parley;
using namespace parley::chassis_tests;

TEST_CASE("process: SIGTERM finishes what is under way") {
  Running running;
  auto busy = running.wire(), idle = running.wire();
  auto admin = running.admin();
  CHECK(idle.ask(get("/api/degraded", member()))->keep_alive);
  busy.send(get("/api/slow", member()));
  wait_until_serving(admin);
  running.signal(SIGTERM);
  CHECK(running.says("draining"));
  const auto ready = admin.ask(get("/readyz"));
  REQUIRE(ready);
  CHECK(ready->status == 503);
  CHECK(ready->body == "draining\n");
  auto late = running.wire();  // still served, for a while
  const auto last = late.ask(get("/api/degraded", member()));
  REQUIRE(last);
  CHECK(last->status == 200);
  CHECK_FALSE(last->keep_alive);
  const auto answer = busy.answer();
  REQUIRE(answer);
  CHECK(text_of(*answer, "name") == "slow");
  CHECK_FALSE(answer->keep_alive);
  CHECK(idle.ended());
  CHECK(running.wait() == 0);
  CHECK(running.written().find("farewell") != std::string::npos);
  CHECK(running.written().find("\"msg\":\"stopped\"") != std::string::npos);
  std::size_t begin = 0;
  for (std::size_t end; (end = running.written().find('\n', begin)) != std::string::npos; begin = end + 1) {
    model::Fault fault;
    CHECK(model::parse(running.written().substr(begin, end - begin), fault));
  }
}

TEST_CASE("process: whoever stays past the drain's time is cut off") {
  Running running({{"PARLEY_DRAIN_TIME_MS", "100"}, {"PARLEY_DRAIN_NOTICE_MS", "0"}});
  auto busy = running.wire(), half = running.wire();
  busy.send(get("/api/slow", member()));
  half.send("GET /api/");
  auto admin = running.admin();
  wait_until_serving(admin);
  running.signal(SIGINT);
  CHECK(running.wait() == 0);
  CHECK(running.written().find("cut off") != std::string::npos);
  CHECK_FALSE(busy.answer());
}

TEST_CASE("process: a second SIGTERM ends it at once") {
  Running running({{"PARLEY_DRAIN_NOTICE_MS", "60000"}});
  running.port();
  running.signal(SIGTERM);
  CHECK(running.says("draining"));
  running.signal(SIGTERM);
  CHECK(running.wait() == 1);
}

TEST_CASE("process: an application that cannot stop does not keep it alive") {
  for (const std::string with : {"error", "problem"}) {
    Running running({{"TEST_STOP_FAILS", with}, {"PARLEY_DRAIN_NOTICE_MS", "0"}});
    running.port();
    running.signal(SIGTERM);
    CHECK(running.wait() == 0);
    CHECK(running.written().find("cannot stop") != std::string::npos);
  }
}

TEST_CASE("process: background work that ends with whatever it throws ends nothing else") {
  Running running({{"TEST_WORK_FAILS", "1"}});
  CHECK(running.says("cannot work"));
  CHECK(running.admin().ask(get("/readyz"))->status == 200);
}
