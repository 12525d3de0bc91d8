#pragma once
#include <boost/describe/class.hpp>

#include "common/model/conversation.hpp"
#include "conversations/messages/shapes.hpp"

namespace parley::conversations::conversations {

struct ConversationRow : model::ConversationInContact {
  std::int64_t numberOfUnreadMessages = 0;
  std::int64_t totalMessages = 0;
  std::optional<model::Uuid> assigned_member_id;
  std::vector<model::Uuid> tag_ids;
  bool tombstone = false;
  std::optional<model::Timestamp> serviceWindowEndsAt;
};
BOOST_DESCRIBE_STRUCT(ConversationRow, (model::ConversationInContact),
                      (numberOfUnreadMessages, totalMessages, assigned_member_id, tag_ids, tombstone,
                       serviceWindowEndsAt))

struct MessageColumns : messages::SenderColumns {
  std::optional<model::Uuid> message_id;
  std::optional<model::MessageDirection> direction;
  std::optional<model::MessageStatus> message_status;
  std::optional<model::MessageType> message_type;
  std::optional<model::Timestamp> message_created_at;
  std::optional<model::Uuid> reply_to_message_id;
  std::optional<std::string> channel_message_id;
  std::optional<model::RawJson> data;
  std::optional<std::int64_t> error_code;
  std::optional<std::string> error_text;
  std::optional<model::Uuid> message_campaign_id;
};
BOOST_DESCRIBE_STRUCT(MessageColumns, (messages::SenderColumns),
                      (message_id, direction, message_status, message_type, message_created_at, reply_to_message_id,
                       channel_message_id, data, error_code, error_text, message_campaign_id))

struct PageRow : ConversationRow, MessageColumns {
  std::int64_t position = 0;  // the sort key: microseconds since 1970
};
BOOST_DESCRIBE_STRUCT(PageRow, (ConversationRow, MessageColumns), (position))

// See redis::CountCache.
struct VersionRow {
  std::int64_t version = 0;
  std::string epoch;
};
BOOST_DESCRIBE_STRUCT(VersionRow, (), (version, epoch))

// Sums of conversation_tally.
struct TallyRow {
  std::int64_t total = 0, unread = 0, awaiting = 0, unassigned = 0;
};
BOOST_DESCRIBE_STRUCT(TallyRow, (), (total, unread, awaiting, unassigned))

struct CountRow : VersionRow {
  std::int64_t count = 0;
};
BOOST_DESCRIBE_STRUCT(CountRow, (VersionRow), (count))

struct OfContactsBase {
  model::Uuid contact_id, id;
  std::optional<model::Uuid> campaign_id;
  model::ConversationInitiator initiated_by = model::ConversationInitiator::Contact;
  model::Timestamp created_at;
  model::ConversationStatus status = model::ConversationStatus::Active;
};
BOOST_DESCRIBE_STRUCT(OfContactsBase, (), (contact_id, id, campaign_id, initiated_by, created_at, status))
struct OfContactsRow : OfContactsBase, MessageColumns {};
BOOST_DESCRIBE_STRUCT(OfContactsRow, (OfContactsBase, MessageColumns), ())

}  // namespace parley::conversations::conversations
