// A day of a company, as a script plays it that knows the API alone: see company.py.
#include <cstdlib>

#include "tests/e2e/world.hpp"

using namespace parley;
using namespace parley::e2e;

TEST_CASE(
    "company: five people sign up, plan a campaign, answer who writes back, and look at the figures, by the API "
    "alone") {
  auto& system = world().system;
  const auto command = "PARLEY_URL=" + system.gateway().url() + " PARLEY_SIMULATOR_URL=" + system.simulator().url() +
                       " python3 " PARLEY_SOURCE_DIR "/tests/e2e/company.py";
  CHECK_EQ(std::system(command.c_str()), 0);
}
