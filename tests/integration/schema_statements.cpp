// Every statement and every variant is one that PostgreSQL takes, after all migrations: a connection that cannot
// prepare one goes on without it, and says so only when it is run.
#include <doctest/doctest.h>
#include <libpq-fe.h>

#include <algorithm>
#include <memory>
#include <regex>
#include <set>

#include "analytics/usage/sql.hpp"
#include "common/pg/frames.hpp"
#include "common/pg/variants.hpp"
#include "contacts/snapshot/sql.hpp"
#include "tests/integration/new_database.hpp"
#include "tests/support/statements.hpp"

using namespace parley;

namespace {

struct Service {
  std::string name;
  bool has_requests;  // that change something: their keys, quotas and events
};

const std::vector<Service>& services() {
  static const std::vector<Service> all{
      {"analytics", false}, {"contacts", true}, {"conversations", true}, {"organizations", true}};
  return all;
}

bool runs(const Service& service, std::string_view statement) {
  const auto is_of = [&](std::string_view library) {
    return statement.starts_with(library) && statement.substr(library.size()).starts_with(".");
  };
  return is_of(service.name) || is_of("removals") || is_of("events.inbox") ||
         (service.has_requests && (is_of("events.outbox") || is_of("chassis")));
}

using Connection = std::unique_ptr<PGconn, decltype(&::PQfinish)>;

std::string fault(PGconn* connection, const pg::Statement& statement) {
  const std::unique_ptr<PGresult, decltype(&::PQclear)> answer(
      ::PQprepare(connection, "", statement.sql.c_str(), static_cast<int>(statement.types.size()),
                  statement.types.data()),
      &::PQclear);
  return ::PQresultStatus(answer.get()) == PGRES_COMMAND_OK ? "" : ::PQresultErrorMessage(answer.get());
}

std::string run(PGconn* connection, const std::string& sql) {
  const std::unique_ptr<PGresult, decltype(&::PQclear)> answer(::PQexec(connection, sql.c_str()), &::PQclear);
  const auto status = ::PQresultStatus(answer.get());
  REQUIRE_MESSAGE((status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK), sql, ": ",
                  ::PQresultErrorMessage(answer.get()));
  std::string out;
  for (int row = 0; row < ::PQntuples(answer.get()); ++row) out.append(::PQgetvalue(answer.get(), row, 0)) += '\n';
  return out;
}

// Statements without a plan only set something up.
bool is_planned(const pg::Statement& statement) {
  std::string_view sql = statement.sql;
  while (sql.starts_with("--")) sql.remove_prefix(sql.find('\n') + 1);
  const auto word = sql.substr(0, sql.find_first_of(" \n"));
  return word == "SELECT" || word == "INSERT" || word == "UPDATE" || word == "DELETE" || word == "WITH";
}

// The statement's generic plan, as the sessions of its lane have it.
std::string generic_plan(PGconn* connection, const pg::Statement& statement) {
  REQUIRE_EQ(fault(connection, statement), "");
  std::string types, nulls;
  for (const auto type : statement.types) {
    types += (types.empty() ? "(" : ", ") + run(connection, "SELECT " + std::to_string(type) + "::regtype");
    nulls += nulls.empty() ? "(NULL" : ", NULL";
  }
  if (!types.empty()) types += ")", nulls += ")";
  run(connection, "PREPARE one" + types + " AS " + statement.sql);
  auto plan = run(connection, "EXPLAIN EXECUTE one" + nulls);
  run(connection, "DEALLOCATE one");
  return plan;
}

// As the pool does, but with NULL for each parameter: what inserts rows fails, after it was planned.
void call_without_values(PGconn* connection, const pg::Statement& statement, int times) {
  ::PQclear(::PQprepare(connection, statement.prepared_name.c_str(), statement.sql.c_str(),
                        static_cast<int>(statement.types.size()), statement.types.data()));
  const std::vector<const char*> nulls(statement.types.size());
  for (int i = 0; i < times; ++i)
    ::PQclear(::PQexecPrepared(connection, statement.prepared_name.c_str(), static_cast<int>(nulls.size()),
                               nulls.data(), nullptr, nullptr, 0));
}

std::vector<std::string> scanned_tables(const std::string& plan) {
  static const std::regex scan("Seq Scan on ([a-z_]+)");
  std::vector<std::string> tables;
  for (std::sregex_iterator at(plan.begin(), plan.end(), scan), end; at != end; ++at) tables.push_back((*at)[1]);
  return tables;
}

}  // namespace

TEST_SUITE("integration: statements") {
  TEST_CASE("each statement and each variant can be prepared on the schema of every service that runs it") {
    for (const auto& service : services()) {
      const Connection connection(::PQconnectdb(pg_tests::new_database(service.name).c_str()), &::PQfinish);
      REQUIRE(::PQstatus(connection.get()) == CONNECTION_OK);
      int prepared = 0;
      for (const auto* statement : pg::statements_and_combinations()) {
        if (!runs(service, statement->name)) continue;
        ++prepared;
        CHECK_MESSAGE(fault(connection.get(), *statement) == "", service.name, ", ", statement->name);
      }
      CHECK_GT(prepared, 0);
    }
  }

  TEST_CASE("no statement of the read and write lanes reads a table that grows from its beginning to its end") {
    // A row for each service, subscription of an organization, or event that could not be applied.
    const std::set<std::string> small{"contact_walk", "feed",           "feed_consumer", "feed_cursor",
                                      "pg_database",  "parked_element", "webhook"};
    for (const auto& service : services()) {
      const Connection connection(::PQconnectdb(pg_tests::new_database(service.name).c_str()), &::PQfinish);
      REQUIRE(::PQstatus(connection.get()) == CONNECTION_OK);
      for (const auto* statement : pg::session_statements(pg::Lane::write)) run(connection.get(), statement->sql);
      int planned = 0;
      for (const auto* statement : pg::statements_and_combinations()) {
        if (!runs(service, statement->name) || statement->lane == pg::Lane::slow || !is_planned(*statement)) continue;
        ++planned;
        for (const auto& table : scanned_tables(generic_plan(connection.get(), *statement)))
          CHECK_MESSAGE(small.contains(table), service.name, ", ", statement->name);
      }
      CHECK_GT(planned, 0);
    }
  }

  TEST_CASE("statements of the read and write lanes are planned once a session, not once a call") {
    constexpr int calls = 25;
    const support::PostgresServer server(
        {"shared_preload_libraries = 'pg_stat_statements'", "pg_stat_statements.track_planning = on"});
    server.execute("CREATE EXTENSION pg_stat_statements");
    for (const auto& service : services()) {
      const auto url = pg_tests::new_database(service.name, server);
      server.execute("SELECT pg_stat_statements_reset()");  // the migrations'
      const Connection connection(::PQconnectdb(url.c_str()), &::PQfinish);
      REQUIRE(::PQstatus(connection.get()) == CONNECTION_OK);
      for (const auto* statement : pg::session_statements(pg::Lane::write)) run(connection.get(), statement->sql);
      for (const auto* statement : pg::statements_and_combinations()) {
        if (!runs(service, statement->name) || statement->lane == pg::Lane::slow || !is_planned(*statement)) continue;
        call_without_values(connection.get(), *statement, calls);
      }
      const auto of_database = " FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = '" +
                               url.substr(url.rfind('/') + 1) + "')";
      CHECK_EQ(server.execute("SELECT string_agg(plans || ' plans, ' || calls || ' calls: ' || query, '; ')" +
                              of_database + " AND plans > greatest(1, calls * 0.05)"),
               "");
      CHECK_NE(server.execute("SELECT count(*)" + of_database + " AND plans = 1 AND calls = " + std::to_string(calls)),
               "0");
    }
  }

  TEST_CASE("no statement of the sources is passed over") {
    // Links what else only the programs do.
    std::set<std::string> known{contacts::snapshot::sql::contacts.name, analytics::usage::sql::messages_of_day.name};
    for (const auto* statement : pg::statements_and_combinations())
      known.insert(statement->name.substr(0, statement->name.find('+')));
    for (const auto& [path, sql] : support::source_statements()) {
      const auto name = support::statement_name(path);
      CHECK_MESSAGE(known.contains(name), path);
      CHECK_MESSAGE(std::ranges::any_of(services(), [&](const auto& service) { return runs(service, name); }), path);
    }
  }
}
