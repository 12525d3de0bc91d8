#pragma once
#include <boost/describe/class.hpp>

#include "common/model/conversation.hpp"

namespace parley::conversations::conversations {

struct ConversationRow : model::ConversationInContact {
  std::int64_t numberOfUnreadMessages = 0;
  std::int64_t totalMessages = 0;
  std::optional<model::Uuid> assigned_member_id;
  std::vector<model::Uuid> tag_ids;
  bool tombstone = false;
};
BOOST_DESCRIBE_STRUCT(ConversationRow, (model::ConversationInContact),
                      (numberOfUnreadMessages, totalMessages, assigned_member_id, tag_ids, tombstone))

// A conversation and one of its messages, or none.
struct OfContactsRow {
  model::Uuid contact_id, id;
  std::optional<model::Uuid> campaign_id;
  model::ConversationInitiator initiated_by = model::ConversationInitiator::Contact;
  model::Timestamp created_at;
  model::ConversationStatus status = model::ConversationStatus::Active;
  std::optional<model::Uuid> message_id;
  std::optional<model::MessageDirection> direction;
  std::optional<model::MessageStatus> message_status;
  std::optional<model::MessageType> message_type;
  std::optional<model::Timestamp> message_created_at;
  std::optional<model::Uuid> reply_to_message_id;
  std::optional<std::string> channel_message_id;
  std::optional<model::RawJson> data;
};
BOOST_DESCRIBE_STRUCT(OfContactsRow, (),
                      (contact_id, id, campaign_id, initiated_by, created_at, status, message_id, direction,
                       message_status, message_type, message_created_at, reply_to_message_id, channel_message_id, data))

}  // namespace parley::conversations::conversations
