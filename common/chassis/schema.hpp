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
  int held = 0;     // by all clients
  int allowed = 0;  // for all but superusers
};
BOOST_DESCRIBE_STRUCT(ServerConnections, (), (held, allowed))

// Keeps a process not ready while the database's schema is older than the program needs. A newer schema is fine:
// migrations stay compatible with the previous program. Also exports the server's connections and their limit.
class SchemaWatch {
 public:
  SchemaWatch(Process& process, pg::Pool& database, const pg::Schema& schema);

  void start() { process_.spawn("schema watch", loop_.run()); }
  void stop() { loop_.request_stop(); }
  // For Application::not_ready(). A good result holds while the database is unreachable.
  const std::string& not_ready() const { return lacks_; }

 private:
  awaitable<std::chrono::milliseconds> look();

  Process& process_;
  pg::Pool& database_;
  const pg::Schema schema_;
  std::string lacks_ = "the database was not reached yet";  // what the schema lacks; "": nothing
  ServerConnections connections_;                           // not known yet
  async::Loop loop_;
};

}  // namespace parley::chassis
