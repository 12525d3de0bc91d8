#include "common/chassis/schema.hpp"

namespace parley::chassis {

using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds kPause{250};             // while it is too old: a migration is probably under way
constexpr std::chrono::milliseconds kPauseWhenGood{30'000};  // a restored backup may be older
constexpr async::FailurePauses kFailurePauses{250ms, 1'000ms};  // readiness waits for the first answer

// Behind a pooler these are the server's too, whereas this process's own are those with the pooler.
const pg::Statement server_connections(
    "chassis.server_connections",
    "SELECT (SELECT sum(numbackends) FROM pg_stat_database)::int4 AS held, "
    "current_setting('max_connections')::int4 - current_setting('superuser_reserved_connections')::int4 AS allowed",
    pg::Lane::read, {}, pg::Statement::Prepare::never);

}  // namespace

SchemaWatch::SchemaWatch(Process& process, pg::Pool& database, std::span<const pg::Migration> migrations)
    : process_(process),
      database_(database),
      wanted_(static_cast<int>(migrations.size())),
      loop_(
          process.context(), kFailurePauses, [this] { return look(); },
          [](const auto&) {}) {  // the pool tells of its own trouble
  process.metrics().gauge_from("db_server_connections", "Connections that the server has, whoever's; 0: not known yet",
                               {}, [this] { return double(connections_.held); });
  process.metrics().gauge_from("db_server_connections_max",
                               "Connections that the server allows to all; 0: not known yet", {},
                               [this] { return double(connections_.allowed); });
}

std::string SchemaWatch::not_ready() const {
  if (found_ >= wanted_) return {};
  if (found_ < 0) return "the database was not reached yet";
  return "the database's schema has version " + std::to_string(found_) + ", this program needs " +
         std::to_string(wanted_) + ": run migrate";
}

awaitable<std::chrono::milliseconds> SchemaWatch::look() {
  const bool was_good = found_ >= wanted_;
  const bool was_known = found_ >= 0;
  auto connections = co_await database_.read(pg::Batch(server_connections));
  connections_ = connections.one<ServerConnections>();
  found_ = co_await pg::schema_version(database_);
  if (found_ < wanted_ && (was_good || !was_known))
    process_.log().warn("the database's schema is too old").with("version", found_).with("needed", wanted_);
  co_return found_ >= wanted_ ? kPauseWhenGood : kPause;
}

}  // namespace parley::chassis
