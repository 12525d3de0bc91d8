#include "conversations/conversations/store.hpp"

#include <algorithm>

#include "common/events/event.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/http/problem.hpp"
#include "conversations/conversations/rows.hpp"
#include "conversations/conversations/sql.hpp"

namespace parley::conversations::conversations {

using model::ConversationStatus;

namespace {

constexpr std::int64_t kConversationsOfContact = 20;

void add_find(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& id) {
  batch.add(sql::find, organization, id).add(sql::messages, organization, id, kMessages);
}

// As the removal in the background leaves it, which may not have come to it yet.
void forget_words(model::Message& message) {
  message.messageData.text = message.messageType == model::MessageType::Text ? R"({"text": ""})" : "{}";
  message.messagingMessageId.reset();
}

// From the answers to add_find(), which begin at `first`.
std::optional<Found> read_found(const pg::Results& results, std::size_t first) {
  auto row = results.optional<ConversationRow>(first);
  if (!row) return std::nullopt;
  Found found;
  static_cast<model::ConversationInContact&>(found.conversation) = std::move(*row);
  found.conversation.messages = results.rows<model::Message>(first + 1);
  found.conversation.numberOfUnreadMessages = row->numberOfUnreadMessages;
  found.conversation.totalMessages = row->totalMessages;
  found.assigned_member_id = row->assigned_member_id;
  found.tag_ids = std::move(row->tag_ids);
  found.tombstone = row->tombstone;
  if (found.tombstone)
    std::for_each(found.conversation.messages.begin(), found.conversation.messages.end(), forget_words);
  return found;
}

void add_change(pg::Batch& batch, const StatusChange& change) {
  events::Changes changes;
  changes.add(change);
  batch.add(sql::set_status, change.organizationId, change.conversationId, change.to);
  batch.add(events::outbox::append, changes.json());
}

model::Message message_of(OfContactsRow& row) {
  return {*row.message_id,
          row.id,
          row.direction.value(),
          row.message_status.value(),
          row.message_type.value(),
          row.message_created_at.value(),
          row.reply_to_message_id,
          std::move(row.channel_message_id),
          std::move(row.data.value())};
}

}  // namespace

awaitable<std::optional<Found>> Store::find(model::Uuid organization, model::Uuid id) {
  pg::Batch batch;
  add_find(batch, organization, id);
  auto found = read_found(co_await database_.read(std::move(batch)), 0);
  if (found && found->conversation.status == ConversationStatus::Deleted && !found->tombstone) co_return std::nullopt;
  co_return found;
}

awaitable<std::optional<Locked>> Store::lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  const auto results = co_await transaction.run(pg::Batch(sql::lock, organization, id));
  auto locked = results.optional<Locked>();
  if (locked && locked->tombstone)
    throw http::Problem{.status = 409,
                        .detail = "its contact was deleted: what is left of it does not change any more"};
  if (locked && locked->status == ConversationStatus::Deleted) co_return std::nullopt;
  co_return locked;
}

awaitable<Found> Store::set_status(pg::Transaction& transaction, model::Uuid organization, model::Uuid id, Locked old,
                                   ConversationStatus status) {
  pg::Batch batch;
  if (old.status != status) add_change(batch, {organization, id, old.contact_id, old.status, status});
  const auto first = batch.size();
  add_find(batch, organization, id);  // the lock holds off other messages, so both see the same
  try {
    co_return read_found(co_await transaction.run(std::move(batch)), first).value();
  } catch (const pg::SqlError& error) {
    if (!error.is_unique_violation("conversation_active")) throw;
  }
  throw http::Problem{.status = 409, .detail = "another conversation of this contact is Active: close it first"};
}

awaitable<std::vector<ContactConversations>> Store::of_contacts(model::Uuid organization,
                                                                std::vector<model::Uuid> contact_ids,
                                                                std::int64_t messages) {
  // One contact's page is what clients open most: it has a statement of its own, with the bounds written into it.
  const bool one = contact_ids.size() == 1 && messages == kMessages;
  auto batch = one ? pg::Batch(sql::of_contact, organization, contact_ids.front())
                   : pg::Batch(sql::of_contacts, organization, contact_ids, kConversationsOfContact, messages);
  const auto results = co_await database_.read(std::move(batch));
  std::vector<ContactConversations> out;
  for (auto& row : results.rows<OfContactsRow>()) {
    if (out.empty() || out.back().contact_id != row.contact_id) out.push_back({row.contact_id, {}});
    auto& conversations = out.back().conversations;
    if (conversations.empty() || conversations.back().uniqueId != row.id)
      conversations.push_back(
          {row.id, row.contact_id, row.campaign_id, organization, row.initiated_by, {}, row.created_at, row.status});
    if (row.message_id) conversations.back().messages.push_back(message_of(row));
  }
  co_return out;
}

}  // namespace parley::conversations::conversations
