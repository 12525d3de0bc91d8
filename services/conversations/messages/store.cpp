#include "conversations/messages/store.hpp"

#include <algorithm>
#include <chrono>

#include "common/events/conversation_changes.hpp"
#include "common/events/event.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/http/problem.hpp"
#include "conversations/messages/long_data.hpp"
#include "conversations/messages/outgoing.hpp"
#include "conversations/messages/sql.hpp"

namespace parley::conversations::messages {

using model::ConversationStatus;
using model::MessageType;

namespace {

constexpr std::int64_t kDay = std::chrono::milliseconds(std::chrono::hours(24)).count();

http::Problem conflict(std::string detail) { return http::Problem({.status = 409, .detail = std::move(detail)}); }

void require_open(ConversationStatus status, bool tombstone) {
  if (tombstone) throw conflict("its contact was deleted: what is left of it does not change any more");
  if (status == ConversationStatus::Closed) throw conflict("the conversation is Closed: set it to Active first");
}

// The time until which a message may be sent. All types but Template must be sent within the contact's service window.
model::Timestamp expiry(MessageType type, const std::optional<model::Timestamp>& window_end) {
  const auto now = model::Timestamp::now();
  const model::Timestamp tomorrow{now.milliseconds_since_epoch + kDay};
  if (type == MessageType::Template) return tomorrow;
  if (!window_end)
    throw conflict("the contact has not written yet, so that the channel takes nothing but a Template for them");
  if (*window_end <= now)
    throw conflict(
        "the contact last wrote more than 24 hours ago, so that the channel takes nothing but a Template for "
        "them since " +
        window_end->text());
  return std::min(*window_end, tomorrow);
}

// `row`: whether the channel knows the message; nullopt if it is not in the conversation.
void require_known(const std::optional<bool>& row, std::string pointer) {
  if (!row)
    throw http::Problem({.status = 400,
                         .detail = pointer + " names no message of this conversation",
                         .errors = {{pointer, "must be a message of this conversation"}}});
  if (!*row)
    throw http::Problem({.status = 409,
                         .detail = "the channel has not accepted the message that " + pointer + " names",
                         .errors = {{pointer, "was not accepted by the channel"}}});
}

pg::Batch question(const model::Uuid& organization, const model::Uuid& conversation, const NewMessage& message) {
  pg::Batch batch(sql::lock_conversation, organization, conversation);
  for (const auto& referred : {message.reply_to, message.reaction_to})
    if (referred) batch.add(sql::referred, organization, conversation, *referred);
  return batch;
}

// The matching messages, and the one where the walk for them ended.
awaitable<pg::Results> ask(pg::Pool& database, model::Uuid organization, ListQuery query, Cut cut) {
  const bool is_open = !query.conversation_id && !query.contact_id;
  const bool of_failed =
      is_open && (query.status == model::MessageStatus::Failed || query.status == model::MessageStatus::UnDelivered);
  const bool of_rare_type = is_open && !query.campaign_id && !of_failed && query.messageType &&
                            query.messageType != MessageType::Text && query.messageType != MessageType::Template;
  const auto& statement = sql::page[{.ascending = !cut.descending,
                                     .by_campaign = query.campaign_id.has_value(),
                                     .by_contact = query.contact_id.has_value(),
                                     .by_conversation = query.conversation_id.has_value(),
                                     .of_failed = of_failed,
                                     .of_rare_type = of_rare_type}];
  pg::Batch batch(statement, organization, query.conversation_id, cut.after.at, cut.after.id, query.contact_id,
                  query.campaign_id, query.direction, query.status, cut.descending ? query.from : query.to,
                  query.messageType, cut.paging.per_page);
  // Beyond a conversation matches may be rare and the walk long: it runs on the slow lane.
  const bool walks = !query.conversation_id && (query.direction || query.status || query.messageType);
  auto asked = walks ? database.slow_anywhere(std::move(batch)) : database.read_anywhere(std::move(batch));
  co_return co_await std::move(asked);
}

void check_referred(const pg::Results& results, const NewMessage& message) {
  std::size_t i = 1;
  if (message.reply_to) require_known(results.optional<bool>(i++), message.pointer + "/replyToMessageId");
  if (message.reaction_to) require_known(results.optional<bool>(i++), message.pointer + "/messageData/messageId");
}

}  // namespace

void forget_words(model::Message& message) {
  message.messageData.text = message.messageType == MessageType::Text ? R"({"text": ""})" : "{}";
  message.messagingMessageId.reset();
  message.errorText.reset();
}

awaitable<std::optional<model::Message>> Store::find(model::Uuid organization, model::Uuid id) {
  const auto results = co_await database_.read(pg::Batch(sql::find, organization, id));
  auto row = results.optional<FoundRow>();
  if (!row) co_return std::nullopt;
  row->sentBy = row->sender();
  if (row->tombstone) forget_words(*row);
  co_return std::move(*row);
}

awaitable<void> Store::add_long_data(model::Uuid organization, Page& page) {
  std::vector<model::Message*> messages;
  for (auto& message : page.messages) messages.push_back(&message);
  const auto ask = [this](pg::Batch batch) { return database_.slow_anywhere(std::move(batch)); };
  const auto fitting = co_await messages::add_long_data(ask, organization, std::move(messages));
  page.cut = fitting < page.messages.size();
  page.messages.resize(fitting);
}

awaitable<Page> Store::list(model::Uuid organization, ListQuery query, Cut cut) {
  auto results = co_await ask(database_, organization, query, cut);
  auto rows = with_senders(results.rows<WalkedRow>());
  results = {};
  Page page;
  if (!rows.empty() && rows.back().ends) {
    page.walked_to = After{rows.back().position, rows.back().uniqueId};
    if (!rows.back().matches) rows.pop_back();
  }
  page.messages.assign(std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
  co_await add_long_data(organization, page);
  co_return page;
}

awaitable<std::optional<Page>> Store::of_conversation(model::Uuid organization, model::Uuid conversation, Cut cut) {
  pg::Batch batch(sql::find_conversation, organization, conversation);
  batch.add(sql::of_conversation[{.ascending = !cut.descending}], organization, conversation, cut.after.at,
            cut.after.id, cut.paging.per_page, cut.paging.skip);
  auto results = co_await database_.read_anywhere(std::move(batch));
  const auto row = results.optional<ConversationRow>(0);
  if (!row) co_return std::nullopt;
  Page page{with_senders(results.rows<PageRow>(1)), row->total_messages};
  results = {};
  if (row->tombstone) std::for_each(page.messages.begin(), page.messages.end(), forget_words);
  co_await add_long_data(organization, page);
  co_return page;
}

awaitable<std::optional<model::Uuid>> Store::contact_of(model::Uuid organization, model::Uuid conversation) {
  const auto results = co_await database_.read(pg::Batch(sql::find_conversation, organization, conversation));
  const auto row = results.optional<ConversationRow>();
  if (!row) co_return std::nullopt;
  require_open(row->status, row->tombstone);
  co_return row->contact_id;
}

awaitable<std::optional<model::Message>> Store::send(pg::Transaction& transaction, model::Uuid organization,
                                                     model::Uuid conversation, NewMessage message, Address address,
                                                     model::MessageSender sender) {
  const auto locked = co_await transaction.run(question(organization, conversation, message));
  const auto row = locked.optional<LockedRow>(0);
  if (!row || (row->status == ConversationStatus::Deleted && !row->tombstone)) co_return std::nullopt;
  require_open(row->status, row->tombstone);
  const auto expires_at = expiry(message.type, row->service_window_ends_at);
  check_referred(locked, message);

  const auto id = model::new_uuid();
  pg::Batch batch;
  add_outgoing(
      batch, {organization, id, conversation, row->contact_id, message.reply_to, message.type, std::move(message.data),
              std::move(address.phone_number_id), std::move(address.recipient), std::move(sender), expires_at});
  const auto last = batch.size();
  batch.add(sql::find, organization, id);
  const auto results = co_await transaction.run(std::move(batch));
  auto sent = results.one<FoundRow>(last);
  sent.sentBy = sent.sender();
  events::Changes changes;
  changes.add(events::MessageCreated{organization, conversation, row->contact_id, id, sent.direction, sent.createdAt});
  co_await transaction.run(pg::Batch(events::outbox::append, changes.json()));
  co_return std::move(sent);
}

}  // namespace parley::conversations::messages
