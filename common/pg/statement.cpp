#include "common/pg/statement.hpp"

#include <utility>

namespace parley::pg {
namespace {

// A function-local static, because static objects of all files register here in any order.
std::vector<const Statement*>& catalogue() {
  static std::vector<const Statement*> all;
  return all;
}

}  // namespace

std::string_view name_of(Lane lane) {
  constexpr std::string_view names[] = {"read", "write", "slow", "replica"};
  return names[static_cast<std::size_t>(lane)];
}

Statement::Statement(std::string name, std::string sql, Lane lane, std::vector<Oid> types, Prepare prepare,
                     bool of_organization)
    : name(std::move(name)),
      sql(std::move(sql)),
      lane(lane),
      types(std::move(types)),
      prepare(prepare),
      of_organization(of_organization),
      publishes(this->sql.find("INTO outbox") != std::string::npos),
      id(static_cast<std::uint32_t>(catalogue().size())),
      prepared_name("s" + std::to_string(id)) {
  catalogue().push_back(this);
}

std::span<const Statement* const> statements() { return catalogue(); }

}  // namespace parley::pg
