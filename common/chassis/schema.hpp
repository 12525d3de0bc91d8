#pragma once
#include <boost/describe/class.hpp>
#include <span>
#include <string>

#include "common/async/loop.hpp"
#include "common/chassis/process.hpp"
#include "common/pg/migrate.hpp"
#include "common/pg/pool.hpp"

namespace parley::chassis {

struct ServerConnections {
  int held = 0;     // by everybody
  int allowed = 0;  // to all but superusers
};
BOOST_DESCRIBE_STRUCT(ServerConnections, (), (held, allowed))

// Holds a process's readiness back while the database's schema is older than the program, which it would fail on. A
// newer one is fine: migrations are made so that the program before them goes on working. Looking there anyway, it
// shows how many connections the server has and allows, too.
class SchemaWatch {
 public:
  SchemaWatch(Process& process, pg::Pool& database, const pg::Schema& schema);

  void start() { process_.spawn("schema watch", loop_.run()); }
  void stop() { loop_.request_stop(); }
  // For Application::not_ready(). What was good stays so while the database is out of reach.
  const std::string& not_ready() const { return lacks_; }

 private:
  awaitable<std::chrono::milliseconds> look();
  awaitable<std::string> compare();

  Process& process_;
  pg::Pool& database_;
  const pg::Schema schema_;
  std::string lacks_ = "the database was not reached yet";  // what the schema lacks; "": nothing
  ServerConnections connections_;                           // not known yet
  async::Loop loop_;
};

}  // namespace parley::chassis
