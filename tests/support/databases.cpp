#include "tests/support/databases.hpp"

#include <libpq-fe.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "tests/support/sql.hpp"

namespace parley::support {
namespace {

using namespace std::chrono_literals;

std::string port_of(const PostgresServer& server) { return std::to_string(server.port()); }

}  // namespace

PoolerServer::PoolerServer(const PostgresServer& server, const std::string& user) : Process("pgbouncer"), user_(user) {
  std::ofstream(directory_ / "users") << '"' << user << "\" \"\"\n";
  std::ofstream(directory_ / "ini") << "[databases]\nparley = host=127.0.0.1 port=" << server.port()
                                    << " dbname=parley\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = " << port_
                                    << "\nunix_socket_dir =\nauth_type = trust\nauth_file = "
                                    << (directory_ / "users").string()
                                    << "\npool_mode = transaction\ndefault_pool_size = 12\nmax_client_conn = 200\n"
                                       "query_wait_timeout = 5\nlog_connections = 0\nlog_disconnections = 0\n";
  start();
}

PoolerServer::~PoolerServer() = default;

void PoolerServer::start() {
  const char* const binary = std::getenv("PARLEY_TEST_PGBOUNCER");
  spawn({binary ? binary : "/usr/sbin/pgbouncer", (directory_ / "ini").string()}, SIGKILL);
  const auto probe = url() + "?connect_timeout=2";
  for (const auto limit = std::chrono::steady_clock::now() + 30s; ::PQping(probe.c_str()) != PQPING_OK;) {
    if (exited() || std::chrono::steady_clock::now() > limit)
      throw std::runtime_error("PgBouncer does not start:\n" + log());
    std::this_thread::sleep_for(5ms);
  }
}

void PoolerServer::kill() {
  signal_all(SIGKILL);
  wait_for_exit();
}

DatabaseKind Databases::chosen() {
  const char* const given = std::getenv("PARLEY_TEST_DATABASES");
  if (!given) return DatabaseKind::one;
  const std::pair<std::string_view, DatabaseKind> kinds[] = {{"one", DatabaseKind::one},
                                                             {"each", DatabaseKind::each},
                                                             {"pooled", DatabaseKind::pooled},
                                                             {"replicated", DatabaseKind::replicated},
                                                             {"pair", DatabaseKind::pair}};
  for (const auto& [name, kind] : kinds)
    if (name == given) return kind;
  throw std::runtime_error(std::string("PARLEY_TEST_DATABASES is none of one, each, pooled, replicated, pair: ") +
                           given);
}

Databases::Databases(DatabaseKind kind, PostgresServer& first, std::vector<std::string> services)
    : kind_(kind), first_(first), services_(std::move(services)) {
  if (kind_ != DatabaseKind::each) return;
  for (std::size_t i = 1; i < services_.size(); ++i) others_.push_back(std::make_unique<PostgresServer>());
}

Databases::~Databases() = default;

void Databases::prepare() {
  if (kind_ == DatabaseKind::pooled)
    for (const auto& service : services_) poolers_.push_back(std::make_unique<PoolerServer>(first_, service));
  if (kind_ == DatabaseKind::replicated) standby_ = std::make_unique<PostgresServer>(StandbyOf{first_});
  if (kind_ == DatabaseKind::pair) {
    // The standby itself must not wait for a standby after its promotion.
    standby_ =
        std::make_unique<PostgresServer>(StandbyOf{first_}, std::vector<std::string>{"synchronous_standby_names = ''"});
    first_.execute("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'");
    first_.execute("SELECT pg_reload_conf()");
  }
}

std::vector<std::pair<PostgresServer*, std::vector<std::string>>> Databases::servers() const {
  if (kind_ != DatabaseKind::each) return {{&first_, services_}};
  std::vector<std::pair<PostgresServer*, std::vector<std::string>>> out;
  for (const auto& service : services_) out.push_back({&of(service), {service}});
  return out;
}

PostgresServer& Databases::of(const std::string& service) const {
  const auto number = static_cast<std::size_t>(std::ranges::find(services_, service) - services_.begin());
  return number == 0 || number > others_.size() ? first_ : *others_[number - 1];
}

std::string Databases::both(const std::string& user) const {
  return "postgresql://" + user + "@127.0.0.1:" + port_of(first_) + ",127.0.0.1:" + port_of(*standby_) +
         "/parley?target_session_attrs=read-write";
}

std::vector<std::pair<std::string, std::string>> Databases::environment(const std::string& service) const {
  switch (kind_) {
    case DatabaseKind::pooled: {
      const auto number = static_cast<std::size_t>(std::ranges::find(services_, service) - services_.begin());
      if (number >= poolers_.size()) return {};
      return {{"PARLEY_DATABASE_URL", poolers_[number]->url()}, {"PARLEY_DATABASE_PREPARED", "off"}};
    }
    case DatabaseKind::replicated:
      return {{"PARLEY_DATABASE_URL", first_.url(service, "parley")},
              {"PARLEY_DATABASE_REPLICA_URL", standby_->url(service, "parley")}};
    case DatabaseKind::pair:
      return {{"PARLEY_DATABASE_URL", both(service)}, {"PARLEY_DATABASE_REPLICA_URL", both(service)}};
    default:
      return {{"PARLEY_DATABASE_URL", of(service).url(service, "parley")}};
  }
}

void Databases::lend_tables_to(const std::string& service) const {
  if (kind_ != DatabaseKind::each) return;
  Sql sql(direct(service));
  sql.rows("CREATE EXTENSION IF NOT EXISTS postgres_fdw");
  for (const auto& other : services_) {
    if (other == service) continue;
    sql.rows("CREATE SERVER " + other + " FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '" +
             port_of(of(other)) + "', dbname 'parley'); CREATE USER MAPPING FOR postgres SERVER " + other +
             " OPTIONS (user 'postgres'); CREATE SCHEMA " + other + "; IMPORT FOREIGN SCHEMA " + other +
             " FROM SERVER " + other + " INTO " + other);
  }
}

std::string Databases::direct(const std::string& service) const {
  if (kind_ == DatabaseKind::pair) return both("postgres");
  return of(service).url("postgres", "parley");
}

}  // namespace parley::support
