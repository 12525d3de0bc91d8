#pragma once
// The steps that remove rows of tables: one statement a table, all alike.
#include <deque>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "common/removals/worker.hpp"

namespace parley::removals {

struct Table {
  std::string_view statement;   // what its statement is called
  std::string_view table = {};  // none: as the statement
  std::string_view key = {};    // the column that has the removal's id; none: all rows of the organization go
};

// Static, as all statements are. They are called PREFIX.STATEMENT.
class Tables {
 public:
  Tables(std::string_view prefix, std::initializer_list<Table> tables);

  // In the order of the tables, and `more` behind them.
  std::vector<Step> steps(const std::vector<Step>& more = {}) const;

 private:
  std::deque<pg::Statement> statements_;
};

}  // namespace parley::removals
