#pragma once

namespace CLI {
class App;
}

namespace parley::contacts {

// Adds the commands parked, replay-parked, after-restore and set-quota.
void add_commands(CLI::App& app);

}  // namespace parley::contacts
