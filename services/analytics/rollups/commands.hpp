#pragma once

namespace CLI {
class App;
}

namespace parley::analytics::rollups {

// rebuild: has the running service make its figures anew.
void add_commands(CLI::App& app);

}  // namespace parley::analytics::rollups
