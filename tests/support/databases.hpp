#pragma once
// Which PostgreSQL servers a system has, and how its services reach them.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/servers.hpp"

namespace parley::support {

enum class DatabaseKind {
  one,         // one server for all services
  each,        // a server a service
  pooled,      // one server, and before it a PgBouncer in transaction mode a service
  replicated,  // one server with a streaming replica, which services read
  pair,        // a server, a standby that commits wait for, and both in the services' addresses
};

// PgBouncer in transaction mode before the database `parley` of a server, for one user.
class PoolerServer : private Process {
 public:
  PoolerServer(const PostgresServer& server, const std::string& user);
  ~PoolerServer();

  std::string url() const { return "postgresql://" + user_ + "@127.0.0.1:" + std::to_string(port_) + "/parley"; }
  void start();
  void kill();
  using Process::log;

 private:
  std::string user_;
};

class Databases {
 public:
  // PARLEY_TEST_DATABASES, one of the names above; `one`.
  static DatabaseKind chosen();

  // `first` is there already, with the database `parley` and the services' roles in it or soon to be: prepare() tells.
  Databases(DatabaseKind kind, PostgresServer& first, std::vector<std::string> services);
  ~Databases();

  // When the servers have the database and the roles: what can be made only then.
  void prepare();

  // Those to make the database and roles in, each with the services that it is for.
  std::vector<std::pair<PostgresServer*, std::vector<std::string>>> servers() const;
  // The settings of a service's processes that say where its database is.
  std::vector<std::pair<std::string, std::string>> environment(const std::string& service) const;
  // A superuser's address of the server that takes the service's writes; never a pooler's.
  std::string direct(const std::string& service) const;
  // Where services have servers of their own: lets the tests' own statements see the others' tables on this one's.
  void lend_tables_to(const std::string& service) const;
  // Of `replicated` and `pair`.
  PostgresServer& standby() { return *standby_; }

 private:
  PostgresServer& of(const std::string& service) const;
  std::string both(const std::string& user) const;

  const DatabaseKind kind_;
  PostgresServer& first_;
  const std::vector<std::string> services_;
  std::vector<std::unique_ptr<PostgresServer>> others_;  // by service, from the second on
  std::vector<std::unique_ptr<PoolerServer>> poolers_;   // by service
  std::unique_ptr<PostgresServer> standby_;
};

}  // namespace parley::support
