#include "contacts/lists/store.hpp"

#include <algorithm>
#include <random>

#include "common/http/problem.hpp"
#include "contacts/lists/rows.hpp"
#include "contacts/lists/sql.hpp"

namespace parley::contacts::lists {

namespace {

constexpr int kOrganizationSlots = 16;
constexpr std::size_t kMostNamed = 100;  // of the missing, in an answer

// Writers of one organization meet in its tally row: there are several, and each takes any.
int any_slot() {
  thread_local std::minstd_rand generator{std::random_device{}()};
  return std::uniform_int_distribution<int>(0, kOrganizationSlots - 1)(generator);
}

}  // namespace

awaitable<model::List> Store::create(model::Uuid organization, NewList list) {
  const auto id = model::new_uuid();
  bool contact_missing = false;
  {
    auto transaction = co_await database_.begin();
    const auto tag_ids = co_await resolve_tags(transaction, organization, list.tags);
    pg::Batch batch;
    batch.add(sql::insert_list, organization, id, list.name, list.description);
    batch.add(sql::insert_list_tags, organization, id, tag_ids);
    batch.add(sql::insert_memberships, organization, id, list.contact_ids);
    const auto members = static_cast<std::int64_t>(list.contact_ids.size());
    batch.add(sql::add_to_tally, organization, model::Uuid{}, any_slot(), std::int64_t{0});
    batch.add(sql::add_to_tally, organization, id, 0, members);
    batch.add(sql::find_list, organization, id);
    try {
      const auto results = co_await transaction.commit(std::move(batch));
      co_return std::move(to_lists(results.rows<ListTagRow>(5)).front());
    } catch (const pg::SqlError& error) {
      contact_missing = error.is_foreign_key_violation("membership_organization_id_contact_id_fkey");
      if (!contact_missing) throw;
    }
  }
  co_await name_missing(organization, list.contact_ids);
  throw http::Problem{.status = 409, .detail = "a contact was deleted meanwhile: try again"};
}

// Ids that are tags stay; all else is a label, whose tag is made if there is none.
awaitable<std::vector<model::Uuid>> Store::resolve_tags(pg::Transaction& transaction, model::Uuid organization,
                                                        const std::vector<std::string>& tags) {
  std::vector<model::Uuid> ids;
  if (tags.empty()) co_return ids;
  std::vector<model::Uuid> asked;
  for (const auto& tag : tags)
    if (const auto id = model::Uuid::parse(tag)) asked.push_back(*id);
  if (!asked.empty()) {
    const auto known = co_await transaction.run(pg::Batch(sql::known_tags, organization, asked));
    ids = known.rows<model::Uuid>();
  }
  std::vector<std::string> labels;
  std::vector<model::Uuid> new_ids;
  for (const auto& tag : tags) {
    const auto id = model::Uuid::parse(tag);
    if (id && std::find(ids.begin(), ids.end(), *id) != ids.end()) continue;
    labels.push_back(tag);
    new_ids.push_back(model::new_uuid());
  }
  if (!labels.empty()) {
    const auto made = co_await transaction.run(pg::Batch(sql::ensure_tags, organization, new_ids, labels));
    for (const auto& id : made.rows<model::Uuid>()) ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());  // a tag may be named by its id and by its label
  co_return ids;
}

awaitable<void> Store::name_missing(model::Uuid organization, const std::vector<model::Uuid>& contact_ids) {
  const auto results = co_await database_.write(pg::Batch(sql::missing_contacts, organization, contact_ids));
  const auto missing = results.rows<model::Uuid>();
  if (missing.empty()) co_return;
  http::Problem problem{.status = 400, .detail = std::to_string(missing.size()) + " of contactIds do not exist: "};
  for (const auto& id : std::span(missing).first(std::min(missing.size(), kMostNamed))) {
    if (!problem.errors.empty()) problem.detail += ", ";
    id.append_to(problem.detail);
    problem.errors.push_back({"/contactIds", "there is no contact " + id.text()});
  }
  throw problem;
}

}  // namespace parley::contacts::lists
