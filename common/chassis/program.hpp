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

// Makes the application inside its process, with settings that were read and found good before.
using Factory = std::function<std::unique_ptr<Application>(Process&)>;

// Another way to run the same program, as a process of its own: it serves no requests, works on what the service's
// tables hold, and calls other services in the service's name.
struct Role {
  std::string name;  // the command: "dispatch"
  std::string description;
  std::string admin_listen;  // default
  std::function<Factory(Environment&)> configure;
};

// What a main() is made of.
struct Program {
  std::string name;                  // "contacts"
  std::string description;           // for --help
  std::string listen, admin_listen;  // defaults
  pg::Schema schema{};
  std::function<Factory(Environment&)> configure;
  std::vector<Role> roles{};
  // Further commands: adds them to the parser; their callbacks return by throwing CLI::RuntimeError(status).
  std::function<void(CLI::App&)> add_commands{};
};

// serve (the default), a role, migrate, health (of it or of a role), --check-config (of serve or of a role),
// generate-key, --help. Returns the exit status: 0, 1 when something failed, 2 for a mistake in the configuration.
int run(int argc, char** argv, const Program& program);

}  // namespace parley::chassis
