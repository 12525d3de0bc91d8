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

// What a main() is made of.
struct Program {
  std::string name;                  // "contacts"
  std::string description;           // for --help
  std::string listen, admin_listen;  // defaults
  std::span<const pg::Migration> migrations{};
  std::function<Factory(Environment&)> configure;
  // Further commands: adds them to the parser; their callbacks return by throwing CLI::RuntimeError(status).
  std::function<void(CLI::App&)> add_commands{};
};

// serve (the default), migrate, --check-config, generate-key, --help. Returns the exit status: 0, 1 when something
// failed, 2 for a mistake in the configuration.
int run(int argc, char** argv, const Program& program);

}  // namespace parley::chassis
