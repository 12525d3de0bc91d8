#include "contacts/tags/resolve.hpp"

#include <algorithm>
#include <unordered_set>

#include "contacts/tags/rows.hpp"
#include "contacts/tags/shapes.hpp"
#include "contacts/tags/sql.hpp"

namespace parley::contacts::tags {

void check_names(std::string_view pointer, const std::vector<std::string>& names, http::Faults& faults) {
  if (names.size() > kMaxNames) faults.add(std::string(pointer), "must be at most " + std::to_string(kMaxNames));
  for (std::size_t i = 0; i < std::min(names.size(), kMaxNames); ++i)
    faults.check_text(std::string(pointer) + "/" + std::to_string(i), names[i], 1, kMaxLabelCharacters);
}

void check_label(std::string_view pointer, std::string_view label, http::Faults& faults) {
  faults.check_text(std::string(pointer), label, 1, kMaxLabelCharacters);
  if (model::Uuid::parse(label)) faults.add(std::string(pointer), "must not look like an id");
}

namespace {

// The labels that no tag has, once each. An id of no tag is none.
std::vector<std::string> new_labels(const Resolved& resolved, const std::vector<std::string>& names) {
  std::vector<std::string> out;
  std::unordered_set<std::string_view> seen;
  for (const auto& name : names)
    if (!resolved.contains(name) && !model::Uuid::parse(name) && seen.insert(name).second) out.push_back(name);
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

  const auto labels = new_labels(resolved, names);
  if (labels.empty()) co_return resolved;
  co_await quotas.require(transaction, organization, kTagsQuota, std::ssize(labels));
  std::vector<model::Uuid> new_ids(labels.size());
  for (auto& id : new_ids) id = model::new_uuid();
  pg::Batch making;
  making.add(sql::ensure, organization, new_ids, labels).add(sql::known_labels, organization, labels);
  take_labels(co_await transaction.run(std::move(making)), 1, resolved);
  co_return resolved;
}

std::vector<model::Uuid> ids_of(const Resolved& resolved, const std::vector<std::string>& names,
                                const std::string& pointer) {
  http::Faults faults;
  std::vector<model::Uuid> ids;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const auto found = resolved.find(names[i]); found != resolved.end())
      ids.push_back(found->second);
    else
      faults.add(pointer + "/" + std::to_string(i), "there is no tag with this id");
  faults.throw_if_any();
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace parley::contacts::tags
