#include "common/pg/statement.hpp"

#include <atomic>
#include <utility>

namespace parley::pg {
namespace {

// A function-local static, because static objects of all files register here in any order.
std::vector<const Statement*>& catalogue() {
  static std::vector<const Statement*> all;
  return all;
}

std::atomic<std::uint32_t>& next_id() {
  static std::atomic<std::uint32_t> next{0};
  return next;
}

}  // namespace

std::string_view name_of(Lane lane) {
  constexpr std::string_view names[] = {"read", "write", "slow", "replica"};
  return names[static_cast<std::size_t>(lane)];
}

Statement::Statement(std::string name, std::string sql, Lane lane, std::vector<Oid> types, Kind kind,
                     bool of_organization)
    : name(std::move(name)),
      sql(std::move(sql)),
      lane(lane),
      types(std::move(types)),
      kind(kind),
      of_organization(of_organization),
      publishes(this->sql.find("INTO outbox") != std::string::npos),
      id(next_id()++),
      prepared_name("s" + std::to_string(id)) {
  if (kind != Kind::unlisted) catalogue().push_back(this);
}

Statement::Statement(const Statement& like, std::string sql)
    : name(like.name),
      sql(std::move(sql)),
      lane(like.lane),
      types(like.types),
      kind(Kind::unprepared),
      of_organization(like.of_organization),
      publishes(like.publishes),
      id(like.id),
      prepared_name(like.prepared_name) {}

std::span<const Statement* const> statements() { return catalogue(); }

std::size_t statement_count() { return next_id(); }

}  // namespace parley::pg
