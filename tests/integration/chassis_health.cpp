// The command by which containers and service managers ask whether a process is well.
#include <csignal>

#include "tests/integration/chassis_bed.hpp"
#include "tests/support/loopback.hpp"

using namespace parley;
using namespace parley::chassis_tests;

namespace {

struct Said {
  int status;
  std::string text;
};

Said health(const std::map<std::string, std::string>& environment, const std::string& role = {}) {
  Running asking(environment,
                 role.empty() ? std::vector<std::string>{"health"} : std::vector{std::string("health"), role});
  const int status = asking.wait();
  return {status, asking.written()};
}

std::string at(const std::string& address, Running& running) {
  return address + ":" + std::to_string(running.port("admin_port"));
}

}  // namespace

TEST_CASE("health: of a process that is ready") {
  Running running;
  CHECK(health({{"PARLEY_ADMIN_LISTEN", at("127.0.0.1", running)}}).status == 0);
  CHECK(health({{"PARLEY_ADMIN_LISTEN", at("0.0.0.0", running)}}).status ==
        0);  // as it is told to listen in a container
  // No other setting matters.
  CHECK(health({{"PARLEY_ADMIN_LISTEN", at("127.0.0.1", running)},
                {"PARLEY_LISTEN", "nowhere"},
                {"PARLEY_IDENTITY_KEY", ""},
                {"PARLEY_SAMPLE_NUMBER", "none"}})
            .status == 0);
}

TEST_CASE("health: of a role, where that listens unless it is told otherwise") {
  const std::map<std::string, std::string> environment{
      {"PARLEY_ADMIN_LISTEN", ""}, {"TEST_ROLE_LISTENS", "127.0.0.1:" + std::to_string(support::free_port())}};
  Running running(environment, {"work"});
  running.port("admin_port");
  CHECK(health(environment, "work").status == 0);
  CHECK(health(environment).status == 1);
  CHECK(health(environment, "nobody").status > 1);
}

TEST_CASE("health: of one that is not, or hangs, or is not there") {
  Running running({{"TEST_NOT_READY", "1"}});
  const auto where = at("127.0.0.1", running);
  const auto said = health({{"PARLEY_ADMIN_LISTEN", where}});
  CHECK(said.status == 1);
  CHECK(said.text.find("not ready: the database is away") != std::string::npos);
  running.signal(SIGSTOP);
  CHECK(health({{"PARLEY_ADMIN_LISTEN", where}}).status == 1);
  running.signal(SIGKILL);
  running.wait();
  CHECK(health({{"PARLEY_ADMIN_LISTEN", where}}).status == 1);
  CHECK(health({{"PARLEY_ADMIN_LISTEN", "nowhere"}}).status == 1);
}
