#pragma once
// Which resources the ids of the documented operations are of.
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace parley::e2e {

struct Kind {
  std::string name;
  std::string path;              // of its single resource, up to the id
  std::set<std::string> fields;  // of bodies and queries that hold its ids
};

const std::vector<Kind>& kinds();
// Of the id in an operation's path, the longest that fits; of a field of a body or query. Throw std::logic_error for
// one that is to be added to the table.
std::string kind_of_path(std::string_view path);
std::string kind_of_field(const std::string& field);

}  // namespace parley::e2e
