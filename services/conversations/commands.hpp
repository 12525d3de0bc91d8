#pragma once

namespace CLI {
class App;
}

namespace parley::conversations {

// Operator commands: parked, replay-parked, reseal, after-restore, held-campaigns, release-campaign.
void add_commands(CLI::App& app);

}  // namespace parley::conversations
