#pragma once
// Brings a schema up to date with the numbered SQL files that are embedded in the program (parley_migrations in
// sql.cmake). Plain synchronous libpq: it runs before anything else does.

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace parley::pg {

class Pool;

// `NNNN_name.sql`: NNNN from 1, without gaps.
struct Migration {
  int version;
  std::string_view name;  // the file's name
  // Any statements but those that cannot run in a transaction, such as CREATE INDEX CONCURRENTLY. A file of such ones
  // begins with "-- Not in a transaction": each ends its line, and may be run again.
  std::string_view sql;
};

struct MigrationReport {
  int before = 0;  // the schema's version, 0 for none
  int after = 0;
  std::vector<std::string> applied;  // files' names
};

// The message says which file, line and SQLSTATE.
struct MigrationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Applies what is missing, each, where it can be, in a transaction of its own together with its row in
// `schema_migration` (version, name, hash, applied_at), which lives in the first schema of the search_path. Several
// processes may do so at once: an advisory lock makes them take turns. Refuses, changing nothing, when the database has
// a version that the program does not know, or one whose text was another; and to begin in a database that has not
// UTF-8 and its letters.
MigrationReport migrate(const std::string& url, std::span<const Migration> migrations);

// The version the schema is at; 0 when it was never migrated. Throws MigrationError when the database is out of reach.
int schema_version(const std::string& url);
// The same over a pool, for the readiness of a running process. Throws as Pool::read.
boost::asio::awaitable<int> schema_version(Pool& pool);

}  // namespace parley::pg
