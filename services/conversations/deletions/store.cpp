#include "conversations/deletions/store.hpp"

#include "common/events/changes.hpp"
#include "common/events/contact_changes.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/removals/organizations.hpp"
#include "common/removals/sql.hpp"
#include "conversations/conversations/shapes.hpp"
#include "conversations/deletions/sql.hpp"

namespace parley::conversations::deletions {

namespace {

constexpr auto kContact = "contact";
constexpr auto kTag = "tag";

struct BuriedRow {
  model::Uuid id, contact_id;
  model::ConversationStatus status = model::ConversationStatus::Active;  // before
};
BOOST_DESCRIBE_STRUCT(BuriedRow, (), (id, contact_id, status))

// Others learn that the conversations are Deleted as they would had a member done it.
awaitable<void> bury(pg::Transaction& transaction, const std::vector<events::ContactsDeleted>& deletions) {
  pg::Batch batch;
  for (const auto& deleted : deletions) batch.add(sql::bury, deleted.organizationId, deleted.contactIds);
  const auto results = co_await transaction.run(std::move(batch));
  events::Changes changes;
  for (std::size_t i = 0; i < deletions.size(); ++i)
    for (const auto& row : results.rows<BuriedRow>(i))
      changes.add(conversations::StatusChange{deletions[i].organizationId, row.id, row.contact_id, row.status,
                                              model::ConversationStatus::Deleted});
  pg::Batch rest;
  if (!changes.empty()) rest.add(events::outbox::append, changes.json());
  for (const auto& deleted : deletions)
    rest.add(removals::sql::begin, deleted.organizationId, kContact, deleted.contactIds);
  co_await transaction.run(std::move(rest));
}

}  // namespace

awaitable<void> apply_contacts(pg::Transaction& transaction, std::span<const events::Event> events) {
  std::vector<events::ContactsDeleted> contacts;
  pg::Batch tags;
  for (const auto& event : events)
    for (const auto& change : events::changes_of(event)) {
      if (auto deleted = change.as<events::ContactsDeleted>()) contacts.push_back(std::move(*deleted));
      if (const auto deleted = change.as<events::TagDeleted>())
        tags.add(removals::sql::begin, deleted->organizationId, kTag, std::vector<model::Uuid>{deleted->tagId});
    }
  if (!contacts.empty()) co_await bury(transaction, contacts);
  if (!tags.empty()) co_await transaction.run(std::move(tags));
}

std::vector<removals::Kind> kinds() {
  return {
      {.name = kContact, .steps = {&sql::messages_of_contact}},
      {.name = kTag, .steps = {&sql::conversation_tags_of_tag}},
      // What points to others comes before them, so that nothing cascades to more rows than a step may take.
      removals::organizations(
          {&sql::messages, &sql::conversation_tags, &sql::conversations, &sql::campaigns, &sql::kept_answers}),
  };
}

}  // namespace parley::conversations::deletions
