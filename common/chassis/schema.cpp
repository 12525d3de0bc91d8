#include "common/chassis/schema.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>

namespace parley::chassis {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr auto kPause = 250ms;        // while it is too old: a migration is probably under way
constexpr auto kPauseWhenGood = 30s;  // a restored backup may be older

// Behind a pooler these are the server's too, whereas this process's own are those with the pooler.
const pg::Statement server_connections(
    "chassis.server_connections",
    "SELECT (SELECT sum(numbackends) FROM pg_stat_database)::int4 AS held, "
    "current_setting('max_connections')::int4 - current_setting('superuser_reserved_connections')::int4 AS allowed",
    pg::Lane::read, {}, pg::Statement::Prepare::never);

}  // namespace

SchemaWatch::SchemaWatch(Process& process, pg::Pool& database, std::span<const pg::Migration> migrations)
    : process_(process), database_(database), wanted_(static_cast<int>(migrations.size())), timer_(process.context()) {
  process.metrics().gauge_from("db_server_connections", "Connections that the server has, whoever's; 0: not known yet",
                               {}, [this] { return double(connections_.held); });
  process.metrics().gauge_from("db_server_connections_max",
                               "Connections that the server allows to all; 0: not known yet", {},
                               [this] { return double(connections_.allowed); });
}

void SchemaWatch::stop() {
  stopped_ = true;
  timer_.cancel();
}

std::string SchemaWatch::not_ready() const {
  if (found_ >= wanted_) return {};
  if (found_ < 0) return "the database was not reached yet";
  return "the database's schema has version " + std::to_string(found_) + ", this program needs " +
         std::to_string(wanted_) + ": run migrate";
}

awaitable<void> SchemaWatch::run() {
  while (!stopped_) {
    co_await look();
    if (stopped_) co_return;
    timer_.expires_after(found_ >= wanted_ ? std::chrono::milliseconds(kPauseWhenGood) : kPause);
    co_await timer_.async_wait(asio::as_tuple(asio::deferred));
  }
}

awaitable<void> SchemaWatch::look() {
  const bool was_good = found_ >= wanted_;
  const bool was_known = found_ >= 0;
  try {
    auto connections = co_await database_.read(pg::Batch(server_connections));
    connections_ = connections.one<ServerConnections>();
    found_ = co_await pg::schema_version(database_);
  } catch (const std::exception&) {
    co_return;  // the pool tells of its own trouble
  }
  if (found_ < wanted_ && (was_good || !was_known))
    process_.log().warn("the database's schema is too old").with("version", found_).with("needed", wanted_);
}

}  // namespace parley::chassis
