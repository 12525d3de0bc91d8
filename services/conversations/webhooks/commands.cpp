#include "conversations/webhooks/commands.hpp"

#include <CLI/CLI.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <memory>

#include "common/chassis/settings.hpp"
#include "conversations/webhooks/sql.hpp"

namespace parley::conversations::webhooks {

namespace {

using boost::asio::awaitable;

awaitable<std::uint64_t> replay(pg::Pool& database, std::optional<std::int64_t> id) {
  const auto results = co_await database.write(pg::Batch(sql::replay, id));
  co_await database.close();
  co_return results.affected();
}

// They become due: the dispatchers take them as they take those that are tried again by themselves.
[[noreturn]] void run(std::optional<std::int64_t> id) {
  chassis::Environment environment;
  auto settings = chassis::read_database(environment);
  if (!environment.faults().empty()) throw std::runtime_error(environment.faults().front());
  settings.read_connections = settings.write_connections = settings.slow_connections = 1;
  boost::asio::io_context context{1};
  pg::Pool database(context, settings);
  database.start();
  std::exception_ptr broken;
  std::uint64_t elements = 0;
  boost::asio::co_spawn(context, replay(database, id), [&](std::exception_ptr thrown, std::uint64_t count) {
    broken = thrown;
    elements = count;
    context.stop();
  });
  context.run();
  if (broken) std::rethrow_exception(broken);
  std::printf("%llu to be tried again\n", static_cast<unsigned long long>(elements));
  throw CLI::RuntimeError(0);  // how a command says that it is done
}

}  // namespace

void add_commands(CLI::App& app) {
  const auto id = std::make_shared<std::int64_t>(0);
  auto* const command = app.add_subcommand(
      "replay-parked", "Have the dispatchers try again what webhooks brought and could not be applied");
  auto* const option = command->add_option("--id", *id, "Only this row of parked_element");
  command->callback([id, option] { run(option->count() > 0 ? std::optional(*id) : std::nullopt); });
}

}  // namespace parley::conversations::webhooks
