#pragma once

namespace CLI {
class App;
}

namespace parley::analytics::rollups {

// Adds the commands rebuild (the running service recomputes its figures), parked, replay-parked and after-restore.
void add_commands(CLI::App& app);

}  // namespace parley::analytics::rollups
