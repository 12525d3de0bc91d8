// The version before beside this one (expand and contract): the schema is this version's, and of each kind of process
// one replica after the other is the old one's, under a mixed load through both.
//
// PARLEY_TEST_OLD_BIN_DIR: the old executables (tests/faults/versions builds them).
#include <cstdlib>

#include "tests/faults/option.hpp"
#include "tests/faults/traffic.hpp"

using namespace parley;
using namespace parley::faults;
using namespace std::chrono_literals;
using support::System;

TEST_CASE("versions: a release that is rolled out and back, process by process, fails no request" *
          doctest::skip(std::getenv("PARLEY_TEST_OLD_BIN_DIR") == nullptr)) {
  const std::string old = std::getenv("PARLEY_TEST_OLD_BIN_DIR");
  System system({.replicas = 2, .environment = {{"PARLEY_DRAIN_NOTICE_MS", "300"}}});
  const std::vector<std::string> kinds{"contacts",      "conversations", "dispatcher",
                                       "organizations", "analytics",     "gateway"};
  const auto restart = [&](const std::string& name, std::size_t number, const std::string& binaries) {
    auto& component = system.component(name, number);
    component.ask_to_end();
    CHECK_EQ(component.wait_for_end(), 0);
    component.binaries = binaries;
    component.start();
  };
  // The state before: the new schema, everything else old.
  for (const auto& name : kinds)
    for (const std::size_t number : {0, 1}) restart(name, number, old);
  Traffic traffic(system, "Versions");
  traffic.wait_for(300);
  const auto part = [&](const std::string& what, Clock::time_point begin) {
    traffic.wait_for(600);
    MESSAGE(what << ": " << traffic.summary(begin, Clock::now()));
    traffic.check_served(begin);
  };
  part("all old, on the new schema", Clock::now());
  for (const auto& name : kinds) {
    const auto begin = Clock::now();
    restart(name, 0, "");
    part("one new " + name, begin);
    restart(name, 1, "");
  }
  part("all new", Clock::now());
  for (const auto& name : kinds) {
    const auto begin = Clock::now();
    restart(name, 1, old);
    part("one old " + name, begin);
    restart(name, 1, "");
  }
  traffic.stop();
  traffic.judge();
}
