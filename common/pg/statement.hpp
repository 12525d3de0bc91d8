#pragma once
// Named SQL statements, generated from .sql files at build time (sql.cmake); they live as long as the process.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/pg/types.hpp"

namespace parley::pg {

// Where a statement runs; see Pool. Transactions on the write lane and batches on the slow lane may also run statements
// of the read lane. No statement declares `replica`: it names, in metrics and reports, the batches that
// Pool::read_anywhere and slow_anywhere run on a replica.
enum class Lane : unsigned char { read, write, slow, replica };
inline constexpr std::size_t lane_count = 3;
std::string_view name_of(Lane lane);

// One statement, which lives as long as the process, but for those made for a batch. A connection prepares it, under a
// short name, after its first run there: one that prepared all of them at once would cost the server a tenth of a
// second and megabytes, most at the moment when all processes turn to a new primary.
class Statement {
 public:
  enum class Kind : unsigned char {
    listed,     // by statements(): made before main() runs, and tried on the schema of its service by a test
    unlisted,   // made at any time, by any thread; or of no service's schema
    unprepared  // listed, but never prepared
  };

  // `types` are those of $1, $2, ..; all are required because parameters travel in binary.
  Statement(std::string name, std::string sql, Lane lane, std::vector<Oid> types, Kind kind = Kind::listed,
            bool of_organization = false);
  // A text that is made for one batch (Batch::keep): `like` with another text. It counts under the name of `like`,
  // and is never prepared, so that texts without number leave nothing behind.
  Statement(const Statement& like, std::string sql);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  const std::string name;  // `<context>.<resource>.<statement>`
  const std::string sql;
  const Lane lane;
  const std::vector<Oid> types;
  const Kind kind;
  const bool of_organization;       // $1 is the organization that is charged: see Pool
  const bool publishes;             // it writes to the table `outbox`: see Pool::on_publish()
  const std::uint32_t id;           // below statement_count()
  const std::string prepared_name;  // the name on the server, which cuts names at 63 bytes
};

// All but those of Kind::unlisted: for tests.
std::span<const Statement* const> statements();
// How many ids were given.
std::size_t statement_count();

}  // namespace parley::pg
