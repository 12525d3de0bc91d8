#pragma once

namespace CLI {
class App;
}

namespace parley::organizations {

// create-owner, add-member and password-token: what an operator does before anyone has a key; revoke-key and
// revoke-keys, in an emergency; reseal, parked, replay-parked and after-restore.
void add_commands(CLI::App& app);

}  // namespace parley::organizations
