#pragma once

namespace CLI {
class App;
}

namespace parley::analytics::rollups {

// rebuild: has the running service make its figures anew. parked, replay-parked and after-restore.
void add_commands(CLI::App& app);

}  // namespace parley::analytics::rollups
