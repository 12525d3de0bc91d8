#pragma once
#include <cstdlib>

namespace parley::faults {

// A number from the environment, such as how much is to be done.
inline int option(const char* name, int fallback) {
  const char* const given = std::getenv(name);
  return given ? std::atoi(given) : fallback;
}

// PARLEY_FAULTS_LONG=1: what takes minutes, too (tests/faults/proof).
inline bool is_long() { return option("PARLEY_FAULTS_LONG", 0) != 0; }

}  // namespace parley::faults
