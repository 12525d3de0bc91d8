#include "contacts/tags/resolve.hpp"

#include <algorithm>
#include <unordered_set>

#include "contacts/tags/rows.hpp"
#include "contacts/tags/shapes.hpp"
#include "contacts/tags/sql.hpp"

namespace parley::contacts::tags {

std::vector<std::string> check_names(std::string_view pointer, const std::vector<std::string>& names,
                                     http::Faults& faults) {
  if (names.size() > kMaxNames) faults.add(std::string(pointer), "must be at most " + std::to_string(kMaxNames));
  std::vector<std::string> out;
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < std::min(names.size(), kMaxNames); ++i) {
    faults.check_text(std::string(pointer) + "/" + std::to_string(i), names[i], 1, kMaxLabelCharacters);
    if (seen.insert(names[i]).second) out.push_back(names[i]);
  }
  return out;
}

namespace {

std::vector<std::string> unresolved(const Resolved& resolved, const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const auto& name : names)
    if (!resolved.contains(name)) out.push_back(name);
  return out;
}

void take_labels(const pg::Results& results, std::size_t i, Resolved& resolved) {
  for (auto& row : results.rows<NamedRow>(i)) resolved.emplace(std::move(row.name), row.id);
}

}  // namespace

awaitable<Resolved> resolve(pg::Transaction& transaction, model::Uuid organization, std::vector<std::string> names,
                            const chassis::Quotas& quotas) {
  Resolved resolved;
  if (names.empty()) co_return resolved;
  std::vector<model::Uuid> ids;
  for (const auto& name : names)
    if (const auto id = model::Uuid::parse(name)) ids.push_back(*id);
  pg::Batch batch;
  batch.add(sql::known_ids, organization, ids).add(sql::known_labels, organization, names);
  const auto known = co_await transaction.run(std::move(batch));
  const auto known_ids = known.rows<model::Uuid>(0);
  for (const auto& name : names) {
    const auto id = model::Uuid::parse(name);
    if (id && std::find(known_ids.begin(), known_ids.end(), *id) != known_ids.end()) resolved.emplace(name, *id);
  }
  take_labels(known, 1, resolved);  // emplace() keeps the tag of a name that is an id

  const auto labels = unresolved(resolved, names);
  if (labels.empty()) co_return resolved;
  co_await quotas.require(transaction, organization, kTagsQuota, std::ssize(labels));
  std::vector<model::Uuid> new_ids(labels.size());
  for (auto& id : new_ids) id = model::new_uuid();
  pg::Batch making;
  making.add(sql::ensure, organization, new_ids, labels).add(sql::known_labels, organization, labels);
  take_labels(co_await transaction.run(std::move(making)), 1, resolved);
  co_return resolved;
}

std::vector<model::Uuid> ids_of(const Resolved& resolved, const std::vector<std::string>& names) {
  std::vector<model::Uuid> ids;
  for (const auto& name : names) ids.push_back(resolved.at(name));
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace parley::contacts::tags
