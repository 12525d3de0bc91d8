#pragma once

namespace CLI {
class App;
}

namespace parley::organizations {

// create-owner and add-member: what an operator does before anyone has a key. They print one line of JSON.
void add_commands(CLI::App& app);

}  // namespace parley::organizations
