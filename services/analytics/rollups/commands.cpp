#include "analytics/rollups/commands.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "common/chassis/command.hpp"
#include "common/chassis/parked.hpp"
#include "common/events/inbox/sql.hpp"

namespace parley::analytics::rollups {

namespace {

using boost::asio::awaitable;

awaitable<void> ask(pg::Pool& pool, const std::vector<std::string>& producers, std::uint64_t& asked) {
  const auto batch = [&] { return pg::Batch(events::inbox::void_cursors, producers); };
  const auto results = co_await chassis::write_patiently(pool, batch);
  asked = results.affected();
}

// Only marks the feeds; the running service, which follows them, rebuilds the figures.
void rebuild(const std::vector<std::string>& producers) {
  std::uint64_t asked = 0;
  chassis::run_on_database([&](pg::Pool& pool) { return ask(pool, producers, asked); });
  if (asked < producers.size()) std::puts("a feed that was never followed is read from its beginning anyway");
  std::puts(
      "analytics makes its figures anew, within seconds once it runs; until they are whole it shows the old ones");
  chassis::end_command();
}

pg::Batch settle_restored() { return pg::Batch(events::inbox::let_go, "analytics"); }

}  // namespace

void add_commands(CLI::App& app) {
  const auto producers = std::make_shared<std::vector<std::string>>();
  auto* const command = app.add_subcommand("rebuild", "Make the figures anew from what the other services have");
  command->add_option("producer", *producers, "contacts, conversations, or both, which is the default")
      ->check(CLI::IsMember({"contacts", "conversations"}));
  command->callback([producers] {
    if (producers->empty()) *producers = {"contacts", "conversations"};
    rebuild(*producers);
  });
  chassis::add_parked_commands(
      app, {{"events", "events of other services", events::inbox::list_parked, events::inbox::replay_parked}});
  chassis::add_after_restore(app, settle_restored, "analytics makes its figures anew, within seconds once it runs");
}

}  // namespace parley::analytics::rollups
