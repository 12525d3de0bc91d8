#include "common/pg/migrate.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <boost/describe/class.hpp>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

#include "common/pg/pool.hpp"

namespace parley::pg {
namespace {

struct Finish {
  void operator()(PGconn* connection) const noexcept { ::PQfinish(connection); }
};

constexpr const char* make_tables =
    "CREATE TABLE IF NOT EXISTS schema_migration (version int PRIMARY KEY, name text NOT NULL, hash text NOT NULL, "
    "applied_at timestamptz NOT NULL DEFAULT now());"
    "CREATE TABLE IF NOT EXISTS schema_functions (name text PRIMARY KEY, version int NOT NULL, hash text NOT NULL, "
    "applied_at timestamptz NOT NULL DEFAULT now())";
// One lock per schema, so that services that share a database do not wait for each other.
constexpr const char* lock =
    "SELECT pg_try_advisory_xact_lock(hashtextextended('schema_migration ' || current_schema(), 0))";
constexpr std::chrono::milliseconds kLockPause{100};

constexpr std::string_view kAlone = "-- Not in a transaction";
// A concurrent index build waits for all older transactions, which do not wait for it.
constexpr const char* kUnhurried = " -c statement_timeout=0 -c lock_timeout=5min";

// FNV-1a: detects files edited after they were applied; not meant against attackers. Comments and empty lines do not
// count, so that they may be reworded; nor does what follows a "--" within a literal.
std::string hash_of(std::string_view text) {
  std::uint64_t hash = 14'695'981'039'346'656'037ULL;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find("--"));
    line = line.substr(0, line.find_last_not_of(' ') + 1);
    if (line.empty()) continue;
    for (unsigned char c : line) hash = (hash ^ c) * 1'099'511'628'211ULL;
    hash = (hash ^ '\n') * 1'099'511'628'211ULL;
  }
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, hash, 16).ptr;
  return std::string(digits, end);
}

int line_of(std::string_view sql, const PGresult* result) {
  const char* position = ::PQresultErrorField(result, PG_DIAG_STATEMENT_POSITION);  // in characters, from 1
  if (!position) return 0;
  long left = std::strtol(position, nullptr, 10);
  int line = 1;
  for (char c : sql) {
    if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80U) continue;
    if (--left == 0) break;
    if (c == '\n') ++line;
  }
  return line;
}

class Session {
 public:
  explicit Session(const std::string& url, const std::string& options = {}) : connection_(connect(url, options)) {
    if (!is_open() && !options.empty()) connection_.reset(connect(url, {}));  // PgBouncer rejects startup options
    if (!is_open()) throw MigrationError(std::string("cannot connect: ") + ::PQerrorMessage(connection_.get()));
    ::PQsetNoticeReceiver(connection_.get(), [](void*, const PGresult*) {}, nullptr);
  }

  Result run(const std::string& sql, std::string_view where = {}) {
    Result result(::PQexec(connection_.get(), sql.c_str()));
    check(result.get(), sql, where);
    return result;
  }
  Result run(const char* sql, std::initializer_list<std::string> parameters) {
    std::vector<const char*> values;
    for (const auto& parameter : parameters) values.push_back(parameter.c_str());
    Result result(::PQexecParams(connection_.get(), sql, static_cast<int>(values.size()), nullptr, values.data(),
                                 nullptr, nullptr, 0));
    check(result.get(), sql, {});
    return result;
  }
  bool idle() const { return ::PQtransactionStatus(connection_.get()) == PQTRANS_IDLE; }
  std::string options() const { return ::PQoptions(connection_.get()); }
  bool in_transaction() const { return ::PQtransactionStatus(connection_.get()) == PQTRANS_INTRANS; }

 private:
  static PGconn* connect(const std::string& url, const std::string& options) {
    const char* const names[] = {"dbname", "options", nullptr};
    const char* const values[] = {url.c_str(), options.c_str(), nullptr};  // an empty value keeps the URL's
    return ::PQconnectdbParams(names, values, 1);
  }
  bool is_open() const { return ::PQstatus(connection_.get()) == CONNECTION_OK; }
  void check(const PGresult* result, std::string_view sql, std::string_view where) {
    const auto status = ::PQresultStatus(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY) return;
    std::string message;
    if (!where.empty()) {
      message += where;
      if (const int line = line_of(sql, result)) message += ":" + std::to_string(line);
      message += ": ";
    }
    if (const char* state = ::PQresultErrorField(result, PG_DIAG_SQLSTATE)) message += std::string(state) + ": ";
    const char* primary = ::PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    message += primary ? primary : ::PQerrorMessage(connection_.get());
    for (const auto code : {PG_DIAG_MESSAGE_DETAIL, PG_DIAG_CONTEXT})
      if (const char* more = ::PQresultErrorField(result, code)) message += std::string("; ") + more;
    throw MigrationError(message);
  }

  std::unique_ptr<PGconn, Finish> connection_;
};

int number_at(const Result& rows, int row, int column) { return std::atoi(::PQgetvalue(rows.get(), row, column)); }

// Refuses migrations that the program does not know, or knows with another text. Returns how many of its own are
// applied.
std::size_t compare(Session& session, std::span<const Migration> migrations) {
  auto rows = session.run("SELECT version, name, hash FROM schema_migration ORDER BY version");
  const int count = ::PQntuples(rows.get());
  if (count == 0 || migrations.empty()) return 0;
  const int first = migrations.front().version;
  for (int row = 0; row < count; ++row) {
    const int version = number_at(rows, row, 0);
    const std::string name = ::PQgetvalue(rows.get(), row, 1), hash = ::PQgetvalue(rows.get(), row, 2);
    if (version != number_at(rows, 0, 0) + row)
      throw MigrationError("schema_migration has a gap before version " + std::to_string(version));
    if (version < first) continue;  // the first migration stands for it
    const auto index = static_cast<std::size_t>(version - first);
    if (index >= migrations.size()) throw MigrationError("the database is newer than this program: it has " + name);
    const auto& known = migrations[index];
    if (hash != hash_of(known.sql) && (known.replaces.empty() || hash != known.replaces))
      throw MigrationError(std::string(known.name) + " was changed after it was applied (as " + name + ")");
  }
  const int last = number_at(rows, count - 1, 0);
  if (last < first)
    throw MigrationError("the database has version " + std::to_string(last) + ", and this program knows none before " +
                         std::to_string(first) + ": migrate with an earlier release first");
  return static_cast<std::size_t>(last - first) + 1;
}

void check_numbers(std::span<const Migration> migrations) {
  for (std::size_t i = 0; i < migrations.size(); ++i)
    if (migrations[i].version != migrations.front().version + static_cast<int>(i) || migrations[i].version < 1)
      throw MigrationError(std::string(migrations[i].name) + ": migrations are numbered without gaps");
}

// Runs the files whose version is higher than the database's, in their order.
void apply_functions(Session& session, std::span<const FunctionFile> functions, MigrationReport& report) {
  for (const auto& file : functions) {
    const auto hash = hash_of(file.sql);
    auto row = session.run("SELECT version, hash FROM schema_functions WHERE name = $1", {std::string(file.name)});
    if (::PQntuples(row.get()) > 0) {
      const int version = number_at(row, 0, 0);
      if (version == file.version && hash != ::PQgetvalue(row.get(), 0, 1))
        throw MigrationError(std::string(file.name) + " was changed after it was applied: raise its version");
      if (version >= file.version) continue;
    }
    session.run(std::string(file.sql), file.name);
    session.run(
        "INSERT INTO schema_functions (name, version, hash) VALUES ($1, $2, $3) "
        "ON CONFLICT (name) DO UPDATE SET version = excluded.version, hash = excluded.hash, applied_at = now()",
        {std::string(file.name), std::to_string(file.version), hash});
    report.applied.emplace_back(file.name);
  }
}

// Encoding and LC_CTYPE of a database are permanent; without UTF-8 letter cases a search would miss names.
void check_letters(Session& session) {
  auto row = session.run("SELECT getdatabaseencoding(), datctype FROM pg_database WHERE datname = current_database()");
  const std::string encoding = ::PQgetvalue(row.get(), 0, 0), letters = ::PQgetvalue(row.get(), 0, 1);
  const auto knows = [&] { return *::PQgetvalue(session.run(R"(SELECT lower(U&'\00C9') = U&'\00E9')").get(), 0, 0); };
  if (encoding == "UTF8" && knows() == 't') return;
  throw MigrationError("the database has the encoding " + encoding + " and the LC_CTYPE " + letters +
                       ": make it from template0 with ENCODING 'UTF8' LOCALE 'C.UTF-8', or another locale of UTF-8");
}

// Begins a transaction that holds the migration lock. Polls, because a statement waiting for the lock would block a
// concurrent index build of another process.
void take_turn(Session& session) {
  while (true) {
    session.run("BEGIN");
    // Lifts the role's timeouts, which are meant for requests: an index build may take long. Waits for table locks stay
    // bounded, because all others would queue behind them.
    session.run("SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0");
    const auto taken = session.run(lock);
    if (::PQgetisnull(taken.get(), 0, 0))  // current_schema() is null
      throw MigrationError("the search_path has no schema that exists and that the role may use");
    if (*::PQgetvalue(taken.get(), 0, 0) == 't') return;
    session.run("ROLLBACK");
    std::this_thread::sleep_for(kLockPause);
  }
}

// Runs on a connection of its own while the transaction of `others` holds the lock.
void run_alone(const std::string& url, const Session& others, const Migration& migration) {
  Session session(url, others.options() + kUnhurried);
  for (auto rest = migration.sql; !rest.empty();) {
    const auto end = std::min(rest.find(";\n"), rest.size());
    session.run(std::string(rest.substr(0, end)), migration.name);
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
}

// One migration and its row in one transaction; after the last one, the functions. False: nothing is left to do.
bool apply_next(const std::string& url, Session& session, const Schema& schema, MigrationReport& report, bool first) {
  take_turn(session);
  session.run(make_tables);
  const auto applied = compare(session, schema.migrations);
  report.after = applied > 0 ? schema.migrations[applied - 1].version : 0;
  if (first) report.before = report.after;
  if (applied == 0) check_letters(session);
  if (applied == schema.migrations.size()) {
    apply_functions(session, schema.functions, report);
    session.run("COMMIT");
    return false;
  }
  const auto& next = schema.migrations[applied];
  if (next.sql.starts_with(kAlone))
    run_alone(url, session, next);
  else
    session.run(std::string(next.sql), next.name);
  if (!session.in_transaction()) throw MigrationError(std::string(next.name) + ": ends its transaction by itself");
  session.run("INSERT INTO schema_migration (version, name, hash) VALUES ($1, $2, $3)",
              {std::to_string(next.version), std::string(next.name), hash_of(next.sql)});
  session.run("COMMIT");
  report.applied.emplace_back(next.name);
  report.after = next.version;
  return true;
}

const Statement has_tables("pg.has_schema_tables",
                           "SELECT to_regclass('schema_migration') IS NOT NULL AS migrations, "
                           "to_regclass('schema_functions') IS NOT NULL AS functions",
                           Lane::read, {}, Statement::Kind::unprepared);
const Statement newest("pg.schema_version", "SELECT coalesce(max(version), 0)::int4 AS version FROM schema_migration",
                       Lane::read, {}, Statement::Kind::unprepared);
const Statement known_functions("pg.schema_functions", "SELECT name, version FROM schema_functions", Lane::read, {},
                                Statement::Kind::unprepared);

struct HasTables {
  bool migrations = false, functions = false;
};
BOOST_DESCRIBE_STRUCT(HasTables, (), (migrations, functions))

struct KnownFunctions {
  std::string name;
  std::int32_t version = 0;
};
BOOST_DESCRIBE_STRUCT(KnownFunctions, (), (name, version))

}  // namespace

MigrationReport migrate(const std::string& url, const Schema& schema) {
  check_numbers(schema.migrations);
  Session session(url);
  MigrationReport report;
  for (bool first = true; apply_next(url, session, schema, report, first); first = false) {
  }
  return report;
}

awaitable<std::string> lacking(Pool& pool, const Schema& schema) {
  const auto tables = co_await pool.read(Batch(has_tables));
  const auto has = tables.one<HasTables>();
  int version = 0;
  if (has.migrations) {
    const auto found = co_await pool.read(Batch(newest));
    version = found.one<int>();
  }
  const int needed = schema.migrations.back().version;
  if (version < needed)
    co_return "the database's schema has version " + std::to_string(version) + ", this program needs " +
        std::to_string(needed) + ": run migrate";
  std::vector<KnownFunctions> known;
  if (has.functions) {
    const auto found = co_await pool.read(Batch(known_functions));
    known = found.rows<KnownFunctions>();
  }
  for (const auto& file : schema.functions)
    if (std::none_of(known.begin(), known.end(),
                     [&](const auto& row) { return row.name == file.name && row.version >= file.version; }))
      co_return "the database lacks the functions of " + std::string(file.name) + ": run migrate";
  co_return "";
}

}  // namespace parley::pg
