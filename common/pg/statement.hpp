#pragma once
// SQL statements known by name. They are made from .sql files at build time (sql.cmake) and live as long as the
// process.

#include <cstdint>
#include <initializer_list>
#include <memory>
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

  const std::string name;  // `<context>.<resource>.<file>`
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

// To name a part of a statement where a condition holds: `page[{part(after.has_value(), "after")}]`.
constexpr std::string_view part(bool condition, std::string_view name) { return condition ? name : std::string_view{}; }

// A statement with optional parts: `/*if NAME*/ text /*else*/ other text /*end*/`, which may nest. Every combination is
// one Statement, expanded when the process starts and prepared where it first runs; all have the same parameters.
class Variants {
 public:
  // At most 8 different names. Throws std::logic_error when the marks do not match.
  Variants(std::string name, std::string_view sql, Lane lane, std::vector<Oid> types, bool of_organization = false);

  // The combination that has exactly the named parts: `page[{"by_list", part(descending, "descending")}]`. Empty names
  // are passed over; an unknown one is a std::logic_error.
  const Statement& operator[](std::initializer_list<std::string_view> parts) const;
  const std::vector<std::string>& parts() const { return parts_; }
  // Every combination, for tests.
  std::vector<const Statement*> all() const;

 private:
  std::string name_;
  std::vector<std::string> parts_;
  std::vector<std::unique_ptr<const Statement>> statements_;  // by the set of parts, part i being bit i
};

}  // namespace parley::pg
