// Every statement and every variant is one that PostgreSQL takes, after all migrations: a connection that cannot
// prepare one goes on without it, and says so only when it is run.
#include <doctest/doctest.h>
#include <libpq-fe.h>

#include <algorithm>
#include <memory>
#include <set>

#include "common/pg/statement.hpp"
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

}  // namespace

TEST_SUITE("integration: statements") {
  TEST_CASE("each statement and each variant can be prepared on the schema of every service that runs it") {
    for (const auto& service : services()) {
      const Connection connection(::PQconnectdb(pg_tests::new_database(service.name).c_str()), &::PQfinish);
      REQUIRE(::PQstatus(connection.get()) == CONNECTION_OK);
      int prepared = 0;
      for (const auto* statement : pg::statements()) {
        if (!runs(service, statement->name)) continue;
        ++prepared;
        CHECK_MESSAGE(fault(connection.get(), *statement) == "", service.name, ", ", statement->name);
      }
      CHECK_GT(prepared, 0);
    }
  }

  TEST_CASE("no statement of the sources is passed over") {
    std::set<std::string> known{contacts::snapshot::sql::contacts.name};  // links what else only the program does
    for (const auto* statement : pg::statements()) known.insert(statement->name.substr(0, statement->name.find('+')));
    for (const auto& [path, sql] : support::source_statements()) {
      const auto name = support::statement_name(path);
      CHECK_MESSAGE(known.contains(name), path);
      CHECK_MESSAGE(std::ranges::any_of(services(), [&](const auto& service) { return runs(service, name); }), path);
    }
  }
}
