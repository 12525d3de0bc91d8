// Two replicas of everything under a mixed load, and each process ended in good order and started again, one after the
// other: nobody notices.
//
// PARLEY_FAULTS_REQUEST_SECONDS (3): how long a request takes that is under way when its processes are told to end.
#include "tests/faults/option.hpp"
#include "tests/faults/traffic.hpp"

using namespace parley;
using namespace parley::faults;
using namespace std::chrono_literals;
using support::System;

TEST_CASE("rolling: every process of every kind restarted in turn fails no request") {
  System system({.replicas = 2, .environment = {{"PARLEY_DRAIN_NOTICE_MS", "300"}}});
  Traffic traffic(system, "Rolling", {.pause = is_long() ? 3ms : 10ms});
  traffic.wait_for(200);
  const auto begin = Clock::now();
  for (const std::string name : {"contacts", "conversations", "dispatcher", "organizations", "analytics", "gateway"})
    for (const std::size_t number : {0, 1}) {
      INFO(name << " " << number);
      auto& component = system.component(name, number);
      const auto asked = Clock::now();
      component.ask_to_end();
      CHECK_EQ(component.wait_for_end(), 0);
      const auto ended = seconds_since(asked);
      component.start();
      if (is_long())
        MESSAGE(name << " " << number << " ended in " << ended << " s, ready after " << seconds_since(asked) << " s");
      traffic.wait_for(is_long() ? 1'000 : 60);
      if (is_long()) traffic.show_slow(asked, 1s);
    }
  traffic.stop();
  const auto all = traffic.summary(begin, Clock::now());
  MESSAGE(all);
  traffic.check_served(begin);
  traffic.judge();
}

TEST_CASE("rolling: a long request is finished, though its gateway and its service were told to end at its beginning") {
  const auto time = std::chrono::seconds(option("PARLEY_FAULTS_REQUEST_SECONDS", 3));
  System system({.environment = {{"PARLEY_DRAIN_NOTICE_MS", "300"}}});
  const auto owner = system.create_owner("patient@example.com", "Patient");
  support::Wire wire(system.gateway().port());
  wire.send("POST /api/contacts/imports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + owner.api_key +
            "\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\nc\r\nname,phone\r\n\r\n");
  const auto imports = [&] { return system.sql("contacts").number("SELECT count(*) FROM import"); };
  const auto begin = Clock::now();
  int rows = 0;
  for (bool asked = false; Clock::now() - begin < time; std::this_thread::sleep_for(100ms)) {
    char line[40];
    std::snprintf(line, sizeof line, "16\r\nAda,+4917100%08d\r\n\r\n", rows);
    REQUIRE(wire.send(std::string(line)));
    ++rows;
    if (asked || imports() == 0) continue;
    asked = true;
    for (auto* component : {&system.gateway(), &system.contacts()}) component->ask_to_end();
  }
  REQUIRE(wire.send("0\r\n\r\n"));
  const auto answer = wire.read();
  REQUIRE(answer);
  CHECK_EQ(answer->status, 202);
  const auto answered = Clock::now();
  CHECK_EQ(system.contacts().wait_for_end(), 0);
  CHECK_EQ(system.gateway().wait_for_end(), 0);
  MESSAGE("a request of " << time.count() << " s was finished; both ended " << seconds_since(answered) << " s later");
  system.contacts().start();
  e2e::wait_for("its rows are there",
                [&] { return system.sql("contacts").number("SELECT count(*) FROM contact") == rows; });
}
