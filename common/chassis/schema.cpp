#include "common/chassis/schema.hpp"

namespace parley::chassis {

using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds kPause{250};  // while the schema is too old: a migration is probably running
constexpr std::chrono::milliseconds kPauseWhenGood{30'000};     // rechecks, as a backup may be restored
constexpr async::FailurePauses kFailurePauses{250ms, 1'000ms};  // short, as readiness waits for the first result

// Counted on the server, as behind a pooler the process's own connections end at the pooler.
const pg::Statement server_connections(
    "chassis.server_connections",
    "SELECT (SELECT sum(numbackends) FROM pg_stat_database)::int4 AS held, "
    "current_setting('max_connections')::int4 - current_setting('superuser_reserved_connections')::int4 AS allowed",
    pg::Lane::read, {}, pg::Statement::Kind::unprepared);

}  // namespace

SchemaWatch::SchemaWatch(Process& process, pg::Pool& database, const pg::Schema& schema)
    : process_(process),
      database_(database),
      schema_(schema),
      loop_(
          process.context(), kFailurePauses, [this] { return look(); },
          [](const auto&) {}) {  // the pool logs its own failures
  process.metrics().gauge_from("db_server_connections", "Connections that the server has, whoever's; 0: not known yet",
                               {}, [this] { return double(connections_.held); });
  process.metrics().gauge_from("db_server_connections_max",
                               "Connections that the server allows to all; 0: not known yet", {},
                               [this] { return double(connections_.allowed); });
}

awaitable<std::chrono::milliseconds> SchemaWatch::look() {
  auto connections = co_await database_.read(pg::Batch(server_connections));
  connections_ = connections.one<ServerConnections>();
  auto lacks = co_await pg::lacking(database_, schema_);
  if (!lacks.empty() && lacks != lacks_) process_.log().warn("the database's schema is too old").with("lacks", lacks);
  lacks_ = std::move(lacks);
  co_return lacks_.empty() ? kPauseWhenGood : kPause;
}

}  // namespace parley::chassis
