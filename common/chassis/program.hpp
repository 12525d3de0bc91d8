#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/chassis/process.hpp"
#include "common/pg/migrate.hpp"

namespace CLI {
class App;
}

namespace parley::chassis {

// Creates the application in its process, from settings that have been validated.
using Factory = std::function<std::unique_ptr<Application>(Process&)>;

// Another mode of the same program, run as its own process: serves no requests, works on the service's tables, and
// calls other services in the service's name.
struct Role {
  std::string name;  // the command: "dispatch"
  std::string description;
  std::string admin_listen;  // default
  std::function<Factory(Environment&)> configure;
};

// The parts of a main().
struct Program {
  std::string name;                  // "contacts"
  std::string description;           // for --help
  std::string listen, admin_listen;  // defaults
  pg::Schema schema{};
  std::function<Factory(Environment&)> configure;
  std::vector<Role> roles{};
  // Adds further commands to the parser; their callbacks return by throwing CLI::RuntimeError(status).
  std::function<void(CLI::App&)> add_commands{};
};

// Commands: serve (the default), a role, migrate, health (of serve or a role), --check-config (of serve or a role),
// generate-key, --help. Returns the exit status: 0, 1 after a failure, 2 for a configuration mistake.
int run(int argc, char** argv, const Program& program);

}  // namespace parley::chassis
