#pragma once

namespace CLI {
class App;
}

namespace parley::conversations::webhooks {

// replay-parked: elements of webhooks that were set aside are tried again.
void add_commands(CLI::App& app);

}  // namespace parley::conversations::webhooks
