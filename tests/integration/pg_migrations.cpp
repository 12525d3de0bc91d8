#include <thread>

#include "common/pg/migrate.hpp"
#include "tests/integration/pg_loop.hpp"
#include "tests/integration/queue_bed.hpp"
#include "tests/support/sql.hpp"

namespace parley::pg_tests {
namespace {

using pg::Migration;
using Migrations = std::vector<Migration>;

const Migration first{1, "0001_first.sql",
                      "CREATE TABLE a (n int8);\n-- a comment; with a semicolon\nINSERT INTO a VALUES (1);"};
const Migration second{2, "0002_second.sql", "ALTER TABLE a ADD m int8;"};
const Migration kNumbered[] = {first, second};
const std::span<const Migration> kBoth(kNumbered);
const Migration broken{2, "0002_broken.sql", "CREATE TABLE b ();\n\nSELECT ä,\n  nothing FROM a;"};

// A schema of its own, as a service has one.
std::string fresh_schema(const std::string& name) {
  auto& server = shared_server();
  server.execute("DROP SCHEMA IF EXISTS " + name + " CASCADE; DROP ROLE IF EXISTS " + name + "; CREATE ROLE " + name +
                 " LOGIN; CREATE SCHEMA AUTHORIZATION " + name + "; ALTER ROLE " + name + " SET search_path = " + name +
                 "; ALTER ROLE " + name + " SET lock_timeout = '2s'; ALTER ROLE " + name +
                 " SET statement_timeout = '1s'");
  return server.url(name);
}

std::string failure(const std::string& url, const Migrations& migrations,
                    const std::vector<pg::FunctionFile>& functions = {}) {
  try {
    pg::migrate(url, {migrations, functions});
  } catch (const pg::MigrationError& error) {
    return error.what();
  }
  return "";
}

// The schema's version, as its table says; 0 without one.
std::int64_t version_of(const std::string& url) {
  support::Sql sql(url);
  if (sql.value("SELECT to_regclass('schema_migration') IS NOT NULL") == "f") return 0;
  return sql.number("SELECT coalesce(max(version), 0) FROM schema_migration");
}

TEST_CASE("pg: migrations run once each, in order") {
  const auto url = fresh_schema("migrated");
  CHECK(version_of(url) == 0);
  auto report = pg::migrate(url, {kBoth.first(1)});
  CHECK(report.before == 0);
  CHECK(report.after == 1);
  CHECK(report.applied == std::vector<std::string>{"0001_first.sql"});
  report = pg::migrate(url, {kBoth});
  CHECK(report.before == 1);
  CHECK(report.after == 2);
  CHECK(report.applied == std::vector<std::string>{"0002_second.sql"});
  report = pg::migrate(url, {kBoth});
  CHECK(report.applied.empty());
  CHECK(report.after == 2);
  CHECK(version_of(url) == 2);
  CHECK(shared_server().execute("SELECT count(*) FROM migrated.a") == "1");
  auto settings = settings_for(shared_server());
  settings.url = url;
  Loop loop(settings);
  CHECK(loop.run(pg::lacking(loop.pool, {kBoth})).empty());
  Loop elsewhere(shared_server());
  CHECK(elsewhere.run(pg::lacking(elsewhere.pool, {kBoth})) ==
        "the database's schema has version 0, this program needs 2: run migrate");
}

TEST_CASE("pg: a schema does not begin in a database that does not know its letters") {
  auto& server = shared_server();
  for (const std::string database :
       {"ascii ENCODING 'SQL_ASCII' LOCALE 'C'", "unlettered ENCODING 'UTF8' LOCALE 'C'"}) {
    server.execute("CREATE DATABASE " + database + " TEMPLATE template0");
    const auto url = server.url("postgres", database.substr(0, database.find(' ')));
    const auto message = failure(url, {first});
    CHECK_MESSAGE(message.find("C.UTF-8") != message.npos, message);
    CHECK(version_of(url) == 0);
  }
}

TEST_CASE("pg: a migration that fails leaves nothing, and says where") {
  const auto url = fresh_schema("broken");
  CHECK(failure(url, {first, broken}) == "0002_broken.sql:3: 42703: column \"ä\" does not exist");
  CHECK(version_of(url) == 1);
  CHECK(shared_server().execute("SELECT to_regclass('broken.b') IS NULL") == "t");
  CHECK(failure(url, {first, {2, "0002_commits.sql", "COMMIT"}}) == "0002_commits.sql: ends its transaction by itself");
  CHECK(failure(url, {first, second}).empty());
}

TEST_CASE("pg: databases that the program does not know are refused") {
  const auto url = fresh_schema("newer");
  CHECK(failure(url, {first, second}).empty());
  CHECK(failure(url, {first}) == "the database is newer than this program: it has 0002_second.sql");
  CHECK(failure(url, {{1, "0001_first.sql", "CREATE TABLE a ()"}, second}) ==
        "0001_first.sql was changed after it was applied (as 0001_first.sql)");
  CHECK(failure(url, {first, {3, "0003_third.sql", ""}}) == "0003_third.sql: migrations are numbered without gaps");
  CHECK(failure("postgresql://127.0.0.1:1/x", {first}).starts_with("cannot connect: "));
}

TEST_CASE("pg: without a schema that the role may use nothing is migrated, and nobody waits") {
  const auto url = fresh_schema("schemaless");
  const std::string wanted = "the search_path has no schema that exists and that the role may use";
  shared_server().execute("ALTER SCHEMA schemaless OWNER TO postgres");
  CHECK(failure(url, {first}) == wanted);
  shared_server().execute("DROP SCHEMA schemaless");
  CHECK(failure(url, {first}) == wanted);
  CHECK(version_of(url) == 0);
}

TEST_CASE("pg: comments of an applied file may be reworded") {
  const auto url = fresh_schema("reworded");
  const auto file = [](const char* sql) { return std::vector<pg::FunctionFile>{{"f.sql", 1, sql}}; };
  CHECK(failure(url, {{1, "0001_schema", "-- Of a.\nCREATE TABLE a (n int8);  -- one\n"}},
                file("-- Version 1\nCREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1';"))
            .empty());
  CHECK(failure(url, {{1, "0001_schema", "-- All of a,\n-- in words.\n\nCREATE TABLE a (n int8);\n"}},
                file("-- Version 1\n\n-- One.\nCREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1';"))
            .empty());
  CHECK(failure(url, {{1, "0001_schema", "-- Of a.\nCREATE TABLE a (n int4);  -- one\n"}}) ==
        "0001_schema was changed after it was applied (as 0001_schema)");
}

TEST_CASE("pg: a schema stands for the migrations that made it before") {
  const auto url = fresh_schema("squashed");
  CHECK(failure(url, {first}).empty());
  // The hash of `second`, as its row has it.
  const Migration whole{2, "0002_schema", "CREATE TABLE a (n int8, m int8);", "HASH"};
  CHECK(failure(url, {whole}) ==
        "the database has version 1, and this program knows none before 2: migrate with an earlier release first");
  CHECK(failure(url, {first, second}).empty());
  CHECK(failure(url, {whole}) == "0002_schema was changed after it was applied (as 0002_second.sql)");
  const auto hash = shared_server().execute("SELECT hash FROM squashed.schema_migration WHERE version = 2");
  const Migration known{2, "0002_schema", whole.sql, hash}, third{3, "0003_third.sql", "ALTER TABLE a ADD k int8"};
  CHECK(failure(url, {known, third}).empty());
  CHECK(version_of(url) == 3);
  const auto empty = fresh_schema("begun");
  CHECK(failure(empty, {known, third}).empty());
  CHECK(failure(empty, {known, third}).empty());
  CHECK(
      shared_server().execute("SELECT string_agg(version || name, ',' ORDER BY version) FROM begun.schema_migration") ==
      "20002_schema,30003_third.sql");
}

TEST_CASE("pg: functions are applied again when their version is higher, and never by an older program") {
  const auto url = fresh_schema("functional");
  const auto answer = [] { return shared_server().execute("SELECT functional.answer()"); };
  const auto file = [](int version, const char* sql) { return std::vector<pg::FunctionFile>{{"f.sql", version, sql}}; };
  const auto one = file(1, "CREATE OR REPLACE FUNCTION answer() RETURNS int LANGUAGE sql AS 'SELECT 1'");
  const auto two = file(2, "CREATE OR REPLACE FUNCTION answer() RETURNS int LANGUAGE sql AS 'SELECT 2'");
  auto settings = settings_for(shared_server());
  settings.url = url;
  Loop loop(settings);
  const std::span<const Migration> migrations = kBoth.first(1);
  const auto lacks = [&](const auto& functions) { return loop.run(pg::lacking(loop.pool, {migrations, functions})); };
  CHECK(failure(url, {first}).empty());
  CHECK(lacks(one) == "the database lacks the functions of f.sql: run migrate");
  CHECK(failure(url, {first}, one).empty());
  CHECK(answer() == "1");
  CHECK(lacks(one) == "");
  CHECK(lacks(two) == "the database lacks the functions of f.sql: run migrate");
  CHECK(failure(url, {first}, file(1, two[0].sql.data())) ==
        "f.sql was changed after it was applied: raise its version");
  CHECK(failure(url, {first}, two).empty());
  CHECK(answer() == "2");
  CHECK(failure(url, {first}, one).empty());
  CHECK(answer() == "2");
  CHECK(lacks(one) == "");
  // A file that fails leaves all files as they were.
  auto three = file(3, "CREATE OR REPLACE FUNCTION answer() RETURNS int LANGUAGE sql AS 'SELECT 3'");
  three.push_back({"g.sql", 1, "SELECT nothing"});
  CHECK(failure(url, {first}, three) == "g.sql:1: 42703: column \"nothing\" does not exist");
  CHECK(answer() == "2");
}

TEST_CASE("pg: several processes migrate at once") {
  const auto url = fresh_schema("crowded");
  const Migrations all{first, second, {3, "0003_slow.sql", "SELECT pg_sleep(1.5); CREATE TABLE c ();"}};
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0, applied = 0;
  for (int i = 0; i < 5; ++i)
    threads.emplace_back([&] {
      try {
        applied += static_cast<int>(pg::migrate(url, {all}).applied.size());
      } catch (const std::exception&) {
        ++failures;
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(failures == 0);
  CHECK(applied == 3);
  CHECK(version_of(url) == 3);
}

TEST_CASE("pg: an index that is built beside who writes keeps nobody waiting, however many migrate") {
  const auto url = fresh_schema("beside");
  const Migration beside{2, "0002_beside.sql",
                         "-- Not in a transaction.\nDROP INDEX CONCURRENTLY IF EXISTS a_n;\n"
                         "CREATE INDEX CONCURRENTLY a_n ON a (n);\n"};
  CHECK(failure(url, {first}).empty());
  std::vector<std::string> failures(3);
  std::vector<std::jthread> threads;
  queue_tests::Session writer(url);  // lets go before the threads are waited for
  writer.execute("BEGIN; INSERT INTO a VALUES (2)");
  for (auto& each : failures) threads.emplace_back([&] { each = failure(url, {first, beside}); });
  const std::string builders =
      "SELECT count(*) FROM pg_stat_activity WHERE usename = 'beside' AND query LIKE 'CREATE INDEX%' AND "
      "wait_event_type = 'Lock'";
  Loop loop(shared_server());
  loop.until([&] { return shared_server().execute(builders) == "1"; });
  shared_server().execute("SET lock_timeout = '5s'; INSERT INTO beside.a VALUES (3)");
  shared_server().execute("SELECT pg_sleep(1.5)");  // longer than a request may take
  CHECK(shared_server().execute(builders) == "1");
  writer.execute("COMMIT");
  for (auto& thread : threads) thread.join();
  for (const auto& each : failures) CHECK_MESSAGE(each.empty(), each);
  CHECK(version_of(url) == 2);
  CHECK(shared_server().execute("SELECT indisvalid FROM pg_index WHERE indexrelid = 'beside.a_n'::regclass") == "t");
}

}  // namespace
}  // namespace parley::pg_tests
