#pragma once
// What it costs to look at queues, in pages of tables and indexes.
#include <libpq-fe.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include "common/pg/statement.hpp"

namespace parley::queue_tests {

// How much passes a queue: PARLEY_TEST_QUEUED, else little.
inline std::int64_t many() {
  const char* const given = std::getenv("PARLEY_TEST_QUEUED");
  return given ? std::atoll(given) : 20'000;
}

// A few pages are nothing: an index may have grown by a level.
inline bool within(double after, double before) { return after <= 1.5 * before + 10; }

// A connection of the test's own.
class Session {
 public:
  explicit Session(const std::string& url) : connection_(::PQconnectdb(url.c_str()), ::PQfinish) {}

  // One statement or several: the last one's first value.
  std::string execute(const std::string& sql) { return checked(::PQexec(connection_.get(), sql.c_str())); }
  // Begins one, and finish() waits for it.
  void send(const std::string& sql) { ::PQsendQuery(connection_.get(), sql.c_str()); }
  void finish() {
    while (auto* result = ::PQgetResult(connection_.get())) checked(result);
  }

  // The pages that a statement goes through, planned as the program's connections have it planned.
  double cost(const pg::Statement& statement, const std::string& arguments) {
    prepare("measured", statement);
    const auto out = cost("measured", arguments);
    execute("DEALLOCATE measured");
    return out;
  }
  // The same of one that is planned when it is first executed here.
  void prepare(const std::string& name, const pg::Statement& statement) {
    execute("SET plan_cache_mode = force_generic_plan; PREPARE " + name + " AS " + statement.sql);
  }
  double cost(const std::string& name, const std::string& arguments) {
    const auto explain = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE " + name + "(" + arguments + ")";
    execute("SAVEPOINT before");
    execute(explain);  // what is read to plan it
    execute("ROLLBACK TO before");
    const auto report = execute(explain);
    execute("ROLLBACK TO before");
    return number(report, "\"Shared Hit Blocks\": ") + number(report, "\"Shared Read Blocks\": ");
  }

 private:
  // The first is the whole plan's.
  static double number(const std::string& report, const std::string& name) {
    const auto at = report.find(name);
    if (at == report.npos) throw std::runtime_error("not told: " + name + report);
    return std::stod(report.substr(at + name.size()));
  }
  std::string checked(PGresult* given) {
    const std::unique_ptr<PGresult, decltype(&::PQclear)> result(given, ::PQclear);
    const auto status = ::PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
      throw std::runtime_error(::PQerrorMessage(connection_.get()));
    return ::PQntuples(result.get()) > 0 ? ::PQgetvalue(result.get(), 0, 0) : "";
  }

  std::unique_ptr<PGconn, decltype(&::PQfinish)> connection_;
};

}  // namespace parley::queue_tests
