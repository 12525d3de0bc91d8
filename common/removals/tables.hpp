#pragma once
// Removal steps for tables: one generated statement per table.
#include <deque>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "common/removals/worker.hpp"

namespace parley::removals {

struct Table {
  std::string_view statement;   // the statement's name
  std::string_view table = {};  // default: the statement's name
  std::string_view key = {};    // the column with the removal's id; default: all rows of the organization
};

// Must be static, as all statements are. Statements are named PREFIX.STATEMENT.
class Tables {
 public:
  Tables(std::string_view prefix, std::initializer_list<Table> tables);

  // In the order of the tables, followed by `more`.
  std::vector<Step> steps(const std::vector<Step>& more = {}) const;

 private:
  std::deque<pg::Statement> statements_;
};

}  // namespace parley::removals
