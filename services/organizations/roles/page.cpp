#include "organizations/roles/page.hpp"

#include <algorithm>

#include "organizations/roles/rows.hpp"
#include "organizations/roles/sql.hpp"

namespace parley::organizations::roles {

awaitable<Texts> Texts::read(pg::Pool& database, model::Uuid organization, std::vector<model::Uuid> ids) {
  Texts texts;
  if (ids.empty()) co_return texts;
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const auto results = co_await database.read(pg::Batch(sql::with_ids, organization, ids));
  for (auto& row : results.rows<RoleRow>()) {
    const auto role = to_role(std::move(row));
    texts.json_.emplace(role.uniqueId, model::to_json(role));
  }
  co_return texts;
}

std::string Texts::array_of(std::span<const model::Uuid> ids) const {
  std::string out = "[";
  for (const auto& id : ids) {
    const auto found = json_.find(id);
    if (found == json_.end()) continue;
    if (out.size() > 1) out += ',';
    out += found->second;
  }
  out += ']';
  return out;
}

}  // namespace parley::organizations::roles
