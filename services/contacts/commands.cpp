#include "contacts/commands.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "common/chassis/command.hpp"
#include "common/chassis/parked.hpp"
#include "common/events/inbox/sql.hpp"
#include "common/events/outbox/sql.hpp"

namespace parley::contacts {

namespace {

// Counts that are cached belong to the epoch too.
boost::asio::awaitable<void> settle_restored(pg::Pool& pool) {
  const auto batch = [] {
    pg::Batch out(events::outbox::begin_epoch);
    out.add(events::inbox::let_go, "contacts");
    return out;
  };
  co_await chassis::write_patiently(pool, batch);
}

void after_restore() {
  chassis::run_on_database(settle_restored);
  std::puts(
      "the feed has a new epoch: conversations compares its contacts with these, analytics counts them anew\n"
      "conversations of contacts that were made since the backup are closed, and removed after a week unless they are "
      "there again by then");
  chassis::end_command();
}

}  // namespace

void add_commands(CLI::App& app) {
  chassis::add_parked_commands(
      app, {{"events", "events of other services", events::inbox::list_parked, events::inbox::replay_parked}});
  app.add_subcommand("after-restore", "Put right what a restored backup of the database leaves wrong")
      ->callback(after_restore);
}

}  // namespace parley::contacts
