#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "common/pg/statement.hpp"

namespace CLI {
class App;
}

namespace parley::chassis {

// A kind of work that a service sets aside when it cannot be applied, so that later work continues; an operator may
// inspect and replay it.
struct ParkedKind {
  std::string_view name;         // "events"
  std::string_view description;  // "events of other services"
  // (most int8): returns `id` text, `about` text, `error` text, `at` timestamptz, and `total` int8, the overall count.
  const pg::Statement& list;
  // write(id text, most int8): has the running processes retry this entry, or `most` entries if `id` is null; repeated
  // while it finds `most` of them.
  const pg::Statement& replay;
};

// Adds the commands `parked`, which lists the entries as JSON, a line per kind, and `replay-parked [--kind K] [--id
// ID]`, which requires one of its options if there are several kinds.
void add_parked_commands(CLI::App& app, std::vector<ParkedKind> kinds);

}  // namespace parley::chassis
