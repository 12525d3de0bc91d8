#pragma once

namespace CLI {
class App;
}

namespace parley::organizations {

// Adds the operators' commands: create-owner, add-member, password-token and create-key to begin with; revoke-key and
// revoke-keys for emergencies; set-quota, set-owner-quota, reseal, parked, replay-parked and after-restore.
void add_commands(CLI::App& app);

}  // namespace parley::organizations
