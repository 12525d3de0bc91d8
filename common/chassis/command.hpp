#pragma once
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>

#include "common/pg/pool.hpp"

namespace CLI {
class App;
}

namespace parley::chassis {

// Runs an operator's command with its own pool, one connection per lane, on the database from the environment. An
// exception becomes a one-line error message and exit status 1.
void run_on_database(const std::function<boost::asio::awaitable<void>(pg::Pool&)>& work);

// Like pool.write(), but retries for ten minutes while rows are locked, as by a consumer that reads a snapshot.
boost::asio::awaitable<pg::Results> write_patiently(pg::Pool& database, std::function<pg::Batch()> batch);

// Adds the command `after-restore`, which writes this batch with write_patiently() and then prints `said`.
void add_after_restore(CLI::App& app, std::function<pg::Batch()> batch, std::string said);

// Ends a command; must be the last call of the command's callback.
[[noreturn]] void end_command(int status = 0);

}  // namespace parley::chassis
