#include "analytics/rollups/commands.hpp"

#include <CLI/CLI.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <memory>

#include "common/chassis/settings.hpp"
#include "common/events/inbox/sql.hpp"

namespace parley::analytics::rollups {

namespace {

using boost::asio::awaitable;

awaitable<void> ask(pg::Pool& pool, const std::vector<std::string>& producers, std::uint64_t& asked) {
  const auto results = co_await pool.write(pg::Batch(events::inbox::void_cursors, producers));
  asked = results.affected();
  co_await pool.close();
}

// Done by the service, which follows the feeds: this says only that it is to be done.
void rebuild(const std::vector<std::string>& producers) {
  chassis::Environment environment;
  auto settings = chassis::read_database(environment);
  if (!environment.faults().empty()) throw std::runtime_error(environment.faults().front());
  settings.read_connections = settings.write_connections = settings.slow_connections = 1;
  boost::asio::io_context context{1};
  pg::Pool pool(context, settings);
  pool.start();
  std::uint64_t asked = 0;
  std::exception_ptr broken;
  boost::asio::co_spawn(context, ask(pool, producers, asked), [&](std::exception_ptr thrown) {
    broken = thrown;
    context.stop();
  });
  context.run();
  if (broken) std::rethrow_exception(broken);
  if (asked < producers.size()) std::puts("a feed that was never followed is read from its beginning anyway");
  std::puts(
      "analytics makes its figures anew, within seconds once it runs; until they are whole it shows the old ones");
  throw CLI::RuntimeError(0);  // how a command says that it is done
}

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
}

}  // namespace parley::analytics::rollups
