#pragma once
// Brings a database to the schema that is embedded in the program (parley_schema in sql.cmake): numbered migrations,
// which run once, then files of functions, which run again whenever they change. Plain synchronous libpq: it runs
// before anything else does.

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace parley::pg {

class Pool;

// `NNNN_name.sql`, numbered without gaps. The first one makes all tables: its number is that of the last migration that
// it stands for.
struct Migration {
  int version;
  std::string_view name;  // the file's name
  // Statements that may run in a transaction. Others, such as CREATE INDEX CONCURRENTLY, need a file that begins with
  // "-- Not in a transaction", in which each statement ends with its line and is repeatable.
  std::string_view sql;
  std::string_view replaces{};  // of the first one: the hash of that last migration, which made the same schema
};

// A functions.sql: CREATE OR REPLACE FUNCTION, and DROP FUNCTION IF EXISTS for what no supported release calls. It
// applies to the newest tables, and releases before call its functions too: one that takes or returns something else
// gets another name. Its first line is `-- Version N of NAME`. A program leaves files of a higher version alone: a
// newer release was there.
struct FunctionFile {
  std::string_view name;  // stays when the file moves: an older program would apply its own again
  int version;
  std::string_view sql;
};

struct Schema {
  std::span<const Migration> migrations;
  std::span<const FunctionFile> functions{};
};

struct MigrationReport {
  int before = 0;  // the schema's version; 0: never migrated
  int after = 0;
  std::vector<std::string> applied;  // names of files
};

// The message names file, line and SQLSTATE.
struct MigrationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Applies the migrations that are missing, each, where it can be, in a transaction of its own together with its row in
// `schema_migration` (version, name, hash, applied_at), which lives in the first schema of the search_path; then the
// files of functions that changed, in one transaction with their rows in `schema_functions` (name, version, hash,
// applied_at). An advisory lock makes several processes take turns. Throws MigrationError, changing nothing, when the
// database has a migration that the program does not know, when a file was applied with another text and the same
// number (comments do not count), when the database is older than the first migration, when there is no schema to
// migrate, and when an empty database lacks UTF-8 and its letters.
MigrationReport migrate(const std::string& url, const Schema& schema);

// Returns what a process's database lacks for its schema, as text for an operator; "" for nothing. Throws as
// Pool::read.
boost::asio::awaitable<std::string> lacking(Pool& pool, const Schema& schema);

}  // namespace parley::pg
