#include "common/removals/tables.hpp"

namespace parley::removals {

namespace {

std::string deletion(std::string_view table, std::string_view key) {
  const std::string name(table);
  const auto rows = name + " WHERE organization_id = $1" + (key.empty() ? "" : " AND " + std::string(key) + " = $2");
  return "DELETE FROM " + name + "\nWHERE organization_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM " + rows +
         " LIMIT $3))";
}

}  // namespace

Tables::Tables(std::string_view prefix, std::initializer_list<Table> tables) {
  for (const auto& [statement, table, key] : tables)
    statements_.emplace_back(std::string(prefix).append(".").append(statement),
                             deletion(table.empty() ? statement : table, key), pg::Lane::write,
                             std::vector<Oid>{pg::oid::uuid, pg::oid::uuid, pg::oid::int8}, pg::Statement::Kind::listed,
                             true);
}

std::vector<Step> Tables::steps(const std::vector<Step>& more) const {
  std::vector<Step> out;
  for (const auto& statement : statements_) out.emplace_back(&statement);
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

}  // namespace parley::removals
