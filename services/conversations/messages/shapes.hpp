#pragma once
#include <boost/describe/class.hpp>

#include "common/http/page.hpp"
#include "common/model/conversation.hpp"
#include "common/model/page.hpp"

namespace parley::conversations::messages {

// ---- requests -------------------------------------------------------------------------------------------------------

// GET /api/conversation/{id}/messages
struct OfConversationQuery {
  std::optional<std::int64_t> skip, page, per_page, limit;
  std::optional<http::Order> order;
  std::optional<std::string> cursor;
};
BOOST_DESCRIBE_STRUCT(OfConversationQuery, (), (skip, page, per_page, limit, order, cursor))

// GET /api/messages
struct ListQuery {
  std::optional<model::Uuid> conversation_id, contact_id, campaign_id;
  std::optional<model::MessageDirection> direction;
  std::optional<model::MessageStatus> status;
  std::optional<model::MessageType> messageType;
  std::optional<model::Timestamp> from, to;
  std::optional<std::int64_t> per_page, limit;
  std::optional<http::Order> order;
  std::optional<std::string> cursor;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (),
                      (conversation_id, contact_id, campaign_id, direction, status, messageType, from, to, per_page,
                       limit, order, cursor))

// The end of a page: the creation time of its last message, to the microsecond, and its id.
struct After {
  std::int64_t at = 0;  // microseconds since 1970
  model::Uuid id;
};

struct Cut {
  http::Paging paging;
  bool descending = true;
  After after;  // on a first page: before everything
  bool by_cursor = false;

  std::string_view order_name() const { return descending ? "createdAt desc" : "createdAt asc"; }
};

// ---- bodies ---------------------------------------------------------------------------------------------------------

// The body of POST /api/conversation/{id}/messages, and the `message` of POST /api/conversation.
struct MessageBody {
  model::MessageType messageType = model::MessageType::Text;
  model::RawJson messageData;
  model::Nullable<model::Uuid> replyToMessageId;
};
BOOST_DESCRIBE_STRUCT(MessageBody, (), (messageType, messageData, replyToMessageId))

// A checked MessageBody.
struct NewMessage {
  std::string pointer;  // its place in the body: "" or "/message"
  model::MessageType type = model::MessageType::Text;
  model::RawJson data;
  std::optional<model::Uuid> reply_to;
  std::optional<model::Uuid> reaction_to;
};

struct Address {
  std::string phone_number_id;  // the organization's sending number
  std::string recipient;        // a phone number with its plus, or the channel's id of a user without one
};

// ---- responses ------------------------------------------------------------------------------------------------------

struct MessageResponse {
  model::Message message;
};
BOOST_DESCRIBE_STRUCT(MessageResponse, (), (message))

struct PageResponse {
  std::vector<model::Message> messages;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (messages, paginationMeta))

struct ListResponse {
  std::vector<model::Message> messages;
  model::CursorMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(ListResponse, (), (messages, paginationMeta))

// ---- rows -----------------------------------------------------------------------------------------------------------

struct SenderColumns {
  model::MessageSenderType sender_type = model::MessageSenderType::Unknown;
  std::optional<model::Uuid> sender_id, sender_member_id;

  model::MessageSender sender() const { return {sender_type, sender_id, sender_member_id}; }
};
BOOST_DESCRIBE_STRUCT(SenderColumns, (), (sender_type, sender_id, sender_member_id))

// No column fills `sentBy`: see with_senders().
struct MessageRow : model::Message, SenderColumns {};
BOOST_DESCRIBE_STRUCT(MessageRow, (model::Message, SenderColumns), ())

template <class Rows>
Rows with_senders(Rows rows) {
  for (auto& row : rows) row.sentBy = row.sender();
  return rows;
}

struct FoundRow : MessageRow {
  bool tombstone = false;
};
BOOST_DESCRIBE_STRUCT(FoundRow, (MessageRow), (tombstone))

struct LongDataRow {
  model::Uuid id;
  std::optional<model::RawJson> data;
};
BOOST_DESCRIBE_STRUCT(LongDataRow, (), (id, data))

struct PageRow : MessageRow {
  std::int64_t position = 0;  // After::at for the page behind this row
};
BOOST_DESCRIBE_STRUCT(PageRow, (MessageRow), (position))

struct WalkedRow : PageRow {
  bool matches = true;
  bool ends = false;  // the last one that was looked at
};
BOOST_DESCRIBE_STRUCT(WalkedRow, (PageRow), (matches, ends))

struct ConversationRow {
  model::Uuid contact_id;
  model::ConversationStatus status = model::ConversationStatus::Active;
  bool tombstone = false;
  std::int64_t total_messages = 0;
};
BOOST_DESCRIBE_STRUCT(ConversationRow, (), (contact_id, status, tombstone, total_messages))

// A conversation to send in, locked until the transaction ends.
struct LockedRow {
  model::Uuid contact_id;
  model::ConversationStatus status = model::ConversationStatus::Active;
  bool tombstone = false;
  std::optional<model::Timestamp> service_window_ends_at;  // null: the contact never wrote
};
BOOST_DESCRIBE_STRUCT(LockedRow, (), (contact_id, status, tombstone, service_window_ends_at))

}  // namespace parley::conversations::messages
