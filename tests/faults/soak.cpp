// A mixed load for long: memory and file descriptors of every process stay where they are.
//
// PARLEY_FAULTS_SOAK_SECONDS (0: not run)
#include <cstdio>
#include <filesystem>

#include "tests/faults/option.hpp"
#include "tests/faults/traffic.hpp"

using namespace parley;
using namespace parley::faults;
using namespace std::chrono_literals;
using support::System;

namespace {

struct Usage {
  double memory = 0;  // MiB
  std::size_t files = 0;
};

Usage usage_of(const support::Component& component) {
  const std::string process = "/proc/" + std::to_string(component.process());
  Usage out;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator(process + "/fd")) ++out.files;
  if (std::FILE* const file = std::fopen((process + "/statm").c_str(), "r")) {
    long all = 0, resident = 0;
    if (std::fscanf(file, "%ld %ld", &all, &resident) == 2) out.memory = static_cast<double>(resident) * 4096 / 1048576;
    std::fclose(file);
  }
  return out;
}

}  // namespace

TEST_CASE("soak: under a load that goes on, memory and open files do not grow" *
          doctest::skip(option("PARLEY_FAULTS_SOAK_SECONDS", 0) == 0)) {
  const auto time = std::chrono::seconds(option("PARLEY_FAULTS_SOAK_SECONDS", 0));
  System system({.replicas = 2, .environment = {}});
  Traffic traffic(system, "Soaked", {.pause = 10ms});
  const auto begin = Clock::now();
  std::map<support::Component*, std::vector<Usage>> course;
  while (Clock::now() - begin < time) {
    std::this_thread::sleep_for(time / 24);
    for (auto* component : system.all())
      if (component->name() != "simulator") course[component].push_back(usage_of(*component));
  }
  traffic.stop();
  const auto all = traffic.summary(begin, Clock::now());
  MESSAGE(time.count() << " s: " << all);
  for (auto& [component, seen] : course) {
    const auto third = seen.size() / 3;
    Usage early, late;  // the most of the second third and of the last
    for (std::size_t i = third; i < seen.size(); ++i) {
      auto& part = i < 2 * third ? early : late;
      part.memory = std::max(part.memory, seen[i].memory);
      part.files = std::max(part.files, seen[i].files);
    }
    MESSAGE(component->name() << ": " << seen.front().memory << " MiB at first, " << early.memory << " -> "
                              << late.memory << " MiB, " << early.files << " -> " << late.files << " files");
    CHECK_LE(late.memory, early.memory * 1.2 + 4);
    CHECK_LE(late.files, early.files + 10);
  }
  traffic.check_served(begin);
  traffic.judge();
}
