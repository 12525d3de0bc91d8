// What the actions do. Lock order as in contacts/changes.cpp: contacts, lists, tags, memberships, tallies.
#include "contacts/bulk/apply.hpp"

#include <algorithm>

#include "common/events/contact_changes.hpp"
#include "contacts/bulk/sql.hpp"
#include "contacts/contacts/emit.hpp"
#include "contacts/imports/rows.hpp"
#include "contacts/lists/shapes.hpp"
#include "contacts/tags/resolve.hpp"

namespace parley::contacts::bulk {

namespace {

using Ids = std::vector<model::Uuid>;

constexpr std::size_t kMostRows = 2'000;
constexpr std::size_t kMostDeleted = 200;  // each with its lists and tags

struct MemberRow {
  model::Uuid list_id, contact_id;
};
BOOST_DESCRIBE_STRUCT(MemberRow, (), (list_id, contact_id))

struct StatusRow {
  model::Uuid id;
  model::Timestamp said_at;
};
BOOST_DESCRIBE_STRUCT(StatusRow, (), (id, said_at))

Ids sorted_once(Ids ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

// Leaves out the contacts that cannot be changed, and notes why.
void leave_out(Ids& ids, const Ids& sorted, const std::string& why, Outcome& outcome) {
  std::erase_if(ids, [&](const auto& id) { return std::ranges::binary_search(sorted, id); });
  for (const auto& id : sorted) outcome.failed.push_back({id, why});
}

void take_members(const std::vector<MemberRow>& rows, std::int64_t each, Outcome& outcome) {
  for (const auto& row : rows) {
    outcome.changed.push_back(row.contact_id);
    outcome.members[row.list_id] += each;
  }
  outcome.changed = sorted_once(std::move(outcome.changed));
}

awaitable<void> change_tags(pg::Transaction& transaction, const Job& job, Ids ids, const chassis::Quotas& quotas,
                            Outcome& outcome) {
  Ids tags;
  for (const auto& [name, id] : co_await tags::resolve(transaction, job.organization_id, *job.action.tags, quotas))
    tags.push_back(id);
  tags = sorted_once(std::move(tags));
  if (tags.empty()) {
    outcome.refusal = "the tags were deleted";
    co_return;
  }
  const bool adds = job.action.type == ActionType::addTags;
  if (adds) {
    const auto found = co_await transaction.run(
        pg::Batch(sql::without_room_for_tags, job.organization_id, ids, tags, tags::kMaxNames));
    leave_out(ids, found.rows<model::Uuid>(), "would have more than 100 tags", outcome);
  }
  const auto results =
      co_await transaction.run(pg::Batch(adds ? sql::add_tags : sql::remove_tags, job.organization_id, ids, tags));
  outcome.changed = sorted_once(results.rows<model::Uuid>());
}

awaitable<void> change_lists(pg::Transaction& transaction, const Job& job, Ids ids, Outcome& outcome) {
  const auto held = co_await transaction.run(pg::Batch(sql::hold_lists, job.organization_id, *job.action.listIds));
  const auto lists = held.rows<model::Uuid>();
  if (lists.empty()) {
    outcome.refusal = "the lists were deleted";
    co_return;
  }
  const bool adds = job.action.type == ActionType::addToLists;
  if (adds) {
    const auto found = co_await transaction.run(
        pg::Batch(sql::without_room_for_lists, job.organization_id, ids, lists, lists::kMaxListsOfContact));
    leave_out(ids, found.rows<model::Uuid>(), "would be in more than 100 lists", outcome);
  }
  const auto results =
      co_await transaction.run(pg::Batch(adds ? sql::join_lists : sql::leave_lists, job.organization_id, ids, lists));
  take_members(results.rows<MemberRow>(), adds ? 1 : -1, outcome);
}

awaitable<void> set_status(pg::Transaction& transaction, const Job& job, Ids ids, Outcome& outcome) {
  const auto results =
      co_await transaction.run(pg::Batch(sql::set_status, job.organization_id, ids, *job.action.status));
  const auto rows = results.rows<StatusRow>();
  for (const auto& row : rows) outcome.changed.push_back(row.id);
  outcome.changed = sorted_once(std::move(outcome.changed));
  if (rows.empty()) co_return;
  contacts::emit(outcome.told,
                 events::ContactStatusChanged{job.organization_id, {}, *job.action.status, rows.front().said_at},
                 outcome.changed);
}

awaitable<void> set_attribute(pg::Transaction& transaction, const Job& job, Ids ids, Outcome& outcome) {
  constexpr std::int64_t kMost = imports::kMaxAttributes;
  const auto& [attribute, value] = std::tie(*job.action.attribute, *job.action.value);
  pg::Batch batch(sql::without_room_for_attribute, job.organization_id, ids, attribute, value, kMost);
  batch.add(sql::set_attribute, job.organization_id, ids, attribute, value, kMost);
  const auto results = co_await transaction.run(std::move(batch));
  leave_out(ids, results.rows<model::Uuid>(0), "its attributes would be longer than 16 KiB", outcome);
  outcome.changed = sorted_once(results.rows<model::Uuid>(1));
}

awaitable<void> remove_attribute(pg::Transaction& transaction, const Job& job, Ids ids, Outcome& outcome) {
  const auto results =
      co_await transaction.run(pg::Batch(sql::remove_attribute, job.organization_id, ids, *job.action.attribute));
  outcome.changed = sorted_once(results.rows<model::Uuid>());
}

// Lists that were deleted have no tally any more: their rows go with the contacts, uncounted.
awaitable<void> delete_contacts(pg::Transaction& transaction, const Job& job, Ids ids, Outcome& outcome) {
  const auto held = co_await transaction.run(pg::Batch(sql::hold_lists_of, job.organization_id, ids));
  pg::Batch batch(sql::leave_lists, job.organization_id, ids, held.rows<model::Uuid>());
  batch.add(sql::delete_contacts, job.organization_id, ids);
  const auto results = co_await transaction.run(std::move(batch));
  take_members(results.rows<MemberRow>(0), -1, outcome);
  outcome.changed = sorted_once(results.rows<model::Uuid>(1));
  outcome.contacts = -std::ssize(outcome.changed);
  contacts::emit(outcome.told, events::ContactsDeleted{job.organization_id, {}}, outcome.changed);
}

}  // namespace

std::size_t most_of_step(const ActionBody& action) {
  if (action.type == ActionType::deleteContacts) return kMostDeleted;
  const auto each = std::max(action.tags ? action.tags->size() : 1, action.listIds ? action.listIds->size() : 1);
  return std::max<std::size_t>(kMostRows / std::max<std::size_t>(each, 1), 1);
}

awaitable<Ids> lock(pg::Transaction& transaction, const Job& job, Ids ids) {
  const auto& statement = job.action.type == ActionType::deleteContacts ? sql::lock_to_delete : sql::lock_to_change;
  const auto results = co_await transaction.run(pg::Batch(statement, job.organization_id, ids));
  co_return results.rows<model::Uuid>();
}

awaitable<Outcome> apply(pg::Transaction& transaction, const Job& job, Ids ids, const chassis::Quotas& quotas) {
  Outcome outcome;
  switch (job.action.type) {
    case ActionType::addTags:
    case ActionType::removeTags:
      co_await change_tags(transaction, job, std::move(ids), quotas, outcome);
      break;
    case ActionType::addToLists:
    case ActionType::removeFromLists:
      co_await change_lists(transaction, job, std::move(ids), outcome);
      break;
    case ActionType::setStatus:
      co_await set_status(transaction, job, std::move(ids), outcome);
      break;
    case ActionType::setAttribute:
      co_await set_attribute(transaction, job, std::move(ids), outcome);
      break;
    case ActionType::removeAttribute:
      co_await remove_attribute(transaction, job, std::move(ids), outcome);
      break;
    case ActionType::deleteContacts:
      co_await delete_contacts(transaction, job, std::move(ids), outcome);
      co_return outcome;
  }
  contacts::emit(outcome.told, events::ContactsUpdated{job.organization_id, {}}, outcome.changed);
  co_return outcome;
}

}  // namespace parley::contacts::bulk
