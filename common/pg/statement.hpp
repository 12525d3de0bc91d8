#pragma once
// SQL statements known by name. They are made from .sql files at build time (sql.cmake) and live as long as the
// process.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/pg/types.hpp"

namespace parley::pg {

// Where a statement runs; see Pool. A transaction on the write lane may use statements of the read lane too, a batch on
// the slow lane as well. No statement is of the lane `replica`: that is where statements of the read and the slow lane
// run by Pool::read_anywhere and slow_anywhere, and what figures and reports call it.
enum class Lane : unsigned char { read, write, slow, replica };
inline constexpr std::size_t lane_count = 3;
std::string_view name_of(Lane lane);

// One statement, of static storage duration. The connections of its lane prepare it, under a short name of its own,
// when they connect; where it is a variant, was made later or runs on another lane, when it has first run there.
class Statement {
 public:
  enum class Prepare : unsigned char { at_connect, at_first_use, never };

  // `types` are those of $1, $2 ..; all parameters travel in binary, so all must be given.
  Statement(std::string name, std::string sql, Lane lane, std::vector<Oid> types, Prepare prepare = Prepare::at_connect,
            bool of_organization = false);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  const std::string name;  // `<context>.<resource>.<statement>`
  const std::string sql;
  const Lane lane;
  const std::vector<Oid> types;
  const Prepare prepare;
  const bool of_organization;       // $1 is the organization whose work it is: see Pool
  const bool publishes;             // it adds to the table `outbox`: see Pool::on_publish()
  const std::uint32_t id;           // its place in statements()
  const std::string prepared_name;  // on the server; names there are cut at 63 bytes, ours may be longer
};

// All statements there are, by id.
std::span<const Statement* const> statements();

}  // namespace parley::pg
