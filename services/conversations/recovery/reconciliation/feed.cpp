#include "conversations/recovery/reconciliation/feed.hpp"

#include "common/events/changes.hpp"
#include "common/events/contact_changes.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/removals/sql.hpp"
#include "conversations/events/public_events/notices.hpp"
#include "conversations/events/subscriptions/fan_out.hpp"
#include "conversations/recovery/deletions/store.hpp"
#include "conversations/recovery/reconciliation/sql.hpp"

namespace parley::conversations::reconciliation {

void Statuses::add(const model::Uuid& organization, const model::Uuid& contact, model::ContactStatus status,
                   model::Timestamp at) {
  auto& said = said_[organization][contact];
  const bool blocked = status == model::ContactStatus::Blocked;
  if (!said.blocked_at || *said.blocked_at < at) {
    said.blocked = blocked;
    said.blocked_at = at;
  }
  if (blocked) return;  // blocking says nothing about opting out
  if (!said.opted_out_at || *said.opted_out_at < at) {
    said.opted_out = status == model::ContactStatus::OptedOut;
    said.opted_out_at = at;
  }
}

void Statuses::write(pg::Batch& batch) const {
  for (const auto& [organization, contacts] : said_) {
    std::vector<model::Uuid> ids;
    std::vector<bool> opted_out, blocked;
    std::vector<std::optional<model::Timestamp>> opted_out_at, blocked_at;
    for (const auto& [id, said] : contacts) {
      ids.push_back(id);
      opted_out.push_back(said.opted_out);
      opted_out_at.push_back(said.opted_out_at);
      blocked.push_back(said.blocked);
      blocked_at.push_back(said.blocked_at);
    }
    batch.add(sql::suppress, organization, ids, opted_out, opted_out_at, blocked, blocked_at);
  }
}

// Lock order: walk, removals, conversations, suppressions, and the outbox last.
awaitable<void> apply_feed(pg::Transaction& transaction, std::span<const events::Event> events) {
  std::vector<events::ContactsDeleted> deleted;
  Statuses statuses;
  pg::Batch walk, removals;
  events::Changes changes;
  for (const auto& event : events)
    for (const auto& change : events::changes_of(event)) {
      if (auto contacts = change.as<events::ContactsDeleted>()) {
        removals.add(removals::sql::begin, contacts->organizationId, deletions::kContact, contacts->contactIds);
        deleted.push_back(std::move(*contacts));
      } else if (const auto merged = change.as<events::ContactMerged>()) {
        for (const auto* statement : {&sql::put_merged, &sql::there_again})
          removals.add(*statement, merged->organizationId, merged->from, merged->into);
        removals.add(removals::sql::begin, merged->organizationId, deletions::kMergedContact,
                     std::vector<model::Uuid>{merged->from});
      } else if (const auto given = change.as<events::ContactStatusChanged>()) {
        for (const auto& id : given->contactIds) statuses.add(given->organizationId, id, given->status, given->at);
      } else if (const auto tag = change.as<events::TagDeleted>()) {
        removals.add(removals::sql::begin, tag->organizationId, deletions::kTag, std::vector<model::Uuid>{tag->tagId});
      } else if (change.type == events::ContactsUnsure::type) {
        walk.add(sql::begin_walk);
      }
    }
  if (!walk.empty()) co_await transaction.run(std::move(walk));
  if (!removals.empty()) co_await transaction.run(std::move(removals));
  for (const auto& contacts : deleted)
    co_await deletions::tombstone(transaction, contacts.organizationId, contacts.contactIds, changes);
  pg::Batch last;
  statuses.write(last);
  if (!changes.empty()) last.add(events::outbox::append, changes.json());
  // An event for each: one of all would be as long as the whole batch.
  for (const auto& event : events)
    if (const auto relayed = public_events::relayed(event); !relayed.empty())
      last.add(events::outbox::append, relayed.json());
  if (!last.empty()) co_await transaction.run(std::move(last));
  co_await subscriptions::fan_out(transaction, events);
}

awaitable<void> begin_walk(pg::Transaction& transaction) { co_await transaction.run(pg::Batch(sql::begin_walk)); }

}  // namespace parley::conversations::reconciliation
