#pragma once
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>

#include "common/pg/pool.hpp"

namespace CLI {
class App;
}

namespace parley::chassis {

// Runs an operator's command over a pool of its own, of one connection a lane, to the database that the environment
// names. What the work throws becomes the command's one line of error and status 1.
void run_on_database(const std::function<boost::asio::awaitable<void>(pg::Pool&)>& work);

// As pool.write(), for what processes that run may hold locked for long, as a consumer does that reads a snapshot:
// tries again for ten minutes.
boost::asio::awaitable<pg::Results> write_patiently(pg::Pool& database, std::function<pg::Batch()> batch);

// The command `after-restore`, where it is this batch, patiently written, and then what is `said`.
void add_after_restore(CLI::App& app, std::function<pg::Batch()> batch, std::string said);

// To be called by a command's callback as its last thing.
[[noreturn]] void end_command(int status = 0);

}  // namespace parley::chassis
