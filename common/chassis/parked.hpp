#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "common/pg/statement.hpp"

namespace CLI {
class App;
}

namespace parley::chassis {

// What a service sets aside when it cannot be applied, so that what is behind it can be: for an operator to look at and
// to have tried again.
struct ParkedKind {
  std::string_view name;         // "events"
  std::string_view description;  // "events of other services"
  // (most int8): `id` text, `about` text, `error` text, `at` timestamptz, and `total` int8 of how many there are.
  const pg::Statement& list;
  // write(id text, most int8): has this one tried again by the processes that run, or so many of them when it is null;
  // run again while it finds as many.
  const pg::Statement& replay;
};

// The commands `parked`, which lists them as JSON, a line a kind, and `replay-parked [--kind K] [--id ID]`,
// which must be told of what, where there are several kinds.
void add_parked_commands(CLI::App& app, std::vector<ParkedKind> kinds);

}  // namespace parley::chassis
