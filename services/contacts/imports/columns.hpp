#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/http/problem.hpp"

namespace parley::contacts::imports {

// How the cells of a column are used.
struct Column {
  enum class Kind { ignored, name, phone, tags, attribute };
  Kind kind = Kind::ignored;
  std::string key;     // name of the attribute
  std::string header;  // as in the file
};

// `mapping=name:Full Name,phone:Mobile,attributes.city:Town,-:Notes`: a target, a colon and a column's header, with
// commas between them. Targets are name, phone, tags, attributes.KEY and - for a column that is left out. A backslash
// takes a comma, colon or backslash literally. Headers are compared without regard to case and outer white space.
struct Mapping {
  std::string header;
  Column::Kind kind;
  std::string key;
};
// Adds a fault `?mapping` for each invalid entry.
std::vector<Mapping> read_mapping(std::string_view text, http::Faults& faults);

// A column that the mapping does not name is name, phone, tags or attributes.KEY by its header, any other an attribute
// of that name, or ignored without a header. Adds faults for missing mapped columns, duplicate meanings, no phone.
std::vector<Column> choose_columns(std::span<const std::string_view> headers, const std::vector<Mapping>& mapping,
                                   http::Faults& faults);

// Kind and key as text for the database, and back: `name`, `-`, `attributes.city`.
std::string target_of(const Column& column);
Column column_of(std::string_view target, std::string header);

// Without outer white space.
std::string_view trimmed(std::string_view text);

}  // namespace parley::contacts::imports
