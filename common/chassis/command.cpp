#include "common/chassis/command.hpp"

#include <CLI/CLI.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "common/chassis/settings.hpp"
#include "common/http/problem.hpp"

namespace parley::chassis {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

awaitable<void> run_and_close(const std::function<awaitable<void>(pg::Pool&)>& work, pg::Pool& pool) {
  co_await work(pool);
  co_await pool.close();
}

awaitable<void> write_restored(pg::Pool& pool, const std::function<pg::Batch()>& batch) {
  co_await write_patiently(pool, batch);
}

}  // namespace

void run_on_database(const std::function<awaitable<void>(pg::Pool&)>& work) {
  Environment environment;
  auto settings = read_database(environment);
  if (!environment.faults().empty()) throw std::runtime_error(environment.faults().front());
  settings.read_connections = settings.write_connections = settings.slow_connections = 1;
  settings.replica_url.clear();
  // No request waits behind a command, so its timeouts may be long.
  settings.write_wait = settings.slow_wait = settings.outage_grace =
      std::chrono::seconds(15);  // lasts through a failover
  asio::io_context context{1};
  pg::Pool pool(context, settings);
  pool.start();
  std::exception_ptr broken;
  asio::co_spawn(context, run_and_close(work, pool), [&](std::exception_ptr thrown) {
    broken = thrown;
    context.stop();
  });
  context.run();
  if (broken) std::rethrow_exception(broken);
}

awaitable<pg::Results> write_patiently(pg::Pool& database, std::function<pg::Batch()> batch) {
  using Clock = std::chrono::steady_clock;
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer timer(executor);
  for (const auto limit = Clock::now() + std::chrono::minutes(10);;) {
    try {
      co_return co_await database.write(batch());
    } catch (const pg::SqlError& error) {
      if (error.state != "55P03" || Clock::now() >= limit) throw;  // lock_not_available
    }
    timer.expires_after(std::chrono::seconds(1));
    co_await timer.async_wait(asio::deferred);
  }
}

void add_after_restore(CLI::App& app, std::function<pg::Batch()> batch, std::string said) {
  auto* const command =
      app.add_subcommand("after-restore", "Put right what a restored backup of the database leaves wrong");
  command->callback([batch = std::move(batch), said = std::move(said)] {
    run_on_database([&](pg::Pool& pool) { return write_restored(pool, batch); });
    std::puts(said.c_str());
    end_command();
  });
}

void end_command(int status) { throw CLI::RuntimeError(status); }  // ends the parser with this status

}  // namespace parley::chassis
