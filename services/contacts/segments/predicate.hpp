#pragma once
// Compiles filters into SQL. The texts are made of pieces that stand in predicate.cpp; whatever clients write is a
// value of one parameter, and so are ids. A statement that can be narrowed by a filter has marks where it goes in:
//   /*segment step $N*/   " AND ..": tests the rows of contact `c` one after the other, which are few
//   /*segment each $N*/   " AND ..": tests all rows of the organization
//   /*segment all $N*/    " AND ..": finds the rows among those of the organization by indexes, where it can
//   /*segment large $N*/  " IS TRUE", behind (organization_id = $1), where the organization is to be no index
//                         condition; beside `all` it is large_all
// $N is the parameter `segment text[]`; without a filter the marks are comments, and it is empty.
#include <chrono>
#include <map>
#include <memory>

#include "common/pg/statement.hpp"
#include "contacts/segments/filter.hpp"

namespace parley::contacts::segments {

// The indexes of attributes that have all values, by kind and name: "number age". See indexed_attribute.
using AttributeIndexes = std::map<std::string, model::Uuid, std::less<>>;

// What the text depends on besides the filter.
struct Scope {
  bool is_large = false;  // the organization has a quarter of all contacts: see contacts/sql/choose.sql
  std::chrono::sys_days today{};
  std::int64_t activity = 0;  // the version of what contacts did: see activity_version
  AttributeIndexes indexes;
};
std::chrono::sys_days today();

class Predicate {
 public:
  Predicate(const Condition& filter, const Scope& scope);

  // The statement with this filter at its marks.
  std::shared_ptr<const pg::Statement> in(const pg::Statement& statement) const;
  const std::vector<std::string>& values() const { return values_; }
  // Differs where the contacts may differ: for the cache of totals.
  std::string spelling() const;

 private:
  std::string step_, each_, all_;  // with kParameter for the parameter
  std::vector<std::string> values_;
  bool is_large_, is_large_all_ = false;
  std::int64_t activity_;  // 0 if the filter does not read it
};

using PredicatePtr = std::shared_ptr<const Predicate>;

}  // namespace parley::contacts::segments
