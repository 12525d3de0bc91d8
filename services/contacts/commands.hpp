#pragma once

namespace CLI {
class App;
}

namespace parley::contacts {

// parked, replay-parked and after-restore.
void add_commands(CLI::App& app);

}  // namespace parley::contacts
