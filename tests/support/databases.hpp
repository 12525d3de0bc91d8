#pragma once
// The PostgreSQL servers of a system, and how its services reach them.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/servers.hpp"

namespace parley::support {

enum class DatabaseKind {
  one,         // one server for all services
  each,        // one server per service
  pooled,      // one server, with a PgBouncer in transaction mode per service
  replicated,  // one server, with a streaming replica that services read
  pair,        // a server and its synchronous standby, both in the services' URLs
};

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
  // PARLEY_TEST_DATABASES; default: `one`.
  static DatabaseKind chosen();

  // `first` is running; its database `parley` and the services' roles may follow, before prepare().
  Databases(DatabaseKind kind, PostgresServer& first, std::vector<std::string> services);
  ~Databases();

  void prepare();

  // The servers to create the database and roles in, with their services.
  std::vector<std::pair<PostgresServer*, std::vector<std::string>>> servers() const;
  std::vector<std::pair<std::string, std::string>> environment(const std::string& service) const;
  // A superuser's URL of the server that takes the service's writes, never of a pooler.
  std::string direct(const std::string& service) const;
  // With a server per service, gives the tests' own statements on this one access to the others' tables.
  void lend_tables_to(const std::string& service) const;
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
