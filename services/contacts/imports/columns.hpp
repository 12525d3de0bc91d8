#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/http/problem.hpp"

namespace parley::contacts::imports {

// What becomes of a column's cells.
struct Column {
  enum class Kind { ignored, name, phone, tags, attribute };
  Kind kind = Kind::ignored;
  std::string key;     // of an attribute
  std::string header;  // as the file calls it
};

// `mapping=name:Full Name,phone:Mobile,attributes.city:Town,-:Notes`: a target, a colon and a column's header, with
// commas between them. Targets are name, phone, tags, attributes.KEY and - for a column that is left out. A backslash
// takes a comma, colon or backslash literally. Headers are compared without regard to case and outer white space.
struct Mapping {
  std::string header;
  Column::Kind kind;
  std::string key;
};
// Adds a fault `?mapping` for each entry that is none.
std::vector<Mapping> read_mapping(std::string_view text, http::Faults& faults);

// What the columns under these headers are. Those that the mapping does not name are what they are called: name, phone,
// tags, attributes.KEY; all others are attributes of that key, and those without a header are left out. Adds a fault
// for what cannot be: a mapped column that is not there, two columns of one meaning, no phone.
std::vector<Column> choose_columns(std::span<const std::string_view> headers, const std::vector<Mapping>& mapping,
                                   http::Faults& faults);

// A column's kind and key as one word and back, for the database: `name`, `-`, `attributes.city`.
std::string target_of(const Column& column);
Column column_of(std::string_view target, std::string header);

// Without outer white space.
std::string_view trimmed(std::string_view text);

}  // namespace parley::contacts::imports
