#pragma once
#include <boost/describe/class.hpp>

#include "common/model/conversation.hpp"

namespace parley::conversations::conversations {

// The newest messages that a conversation is answered with.
inline constexpr std::int64_t kMessages = 20;

// The body of POST /api/conversation/{id}.
struct UpdateConversation {
  model::ConversationStatus status = model::ConversationStatus::Active;
};
BOOST_DESCRIBE_STRUCT(UpdateConversation, (), (status))

struct ConversationAnswer {
  model::Conversation conversation;
};
BOOST_DESCRIBE_STRUCT(ConversationAnswer, (), (conversation))

// A conversation without what other contexts know of it, and what to ask them for.
struct Found {
  model::Conversation conversation;
  std::optional<model::Uuid> assigned_member_id;
  std::vector<model::Uuid> tag_ids;
  bool tombstone = false;  // what is left of it after its contact was deleted
};

// What a change finds, and holds until its transaction ends.
struct Locked {
  model::Uuid contact_id;
  model::ConversationStatus status = model::ConversationStatus::Active;
  bool tombstone = false;
};
BOOST_DESCRIBE_STRUCT(Locked, (), (contact_id, status, tombstone))

// The parameters of GET /internal/conversations/of-contacts.
struct OfContactsQuery {
  std::optional<model::Uuid> organization_id;
  std::optional<std::string> contact_ids;  // with commas between them
  std::optional<std::int64_t> messages;    // of each conversation
};
BOOST_DESCRIBE_STRUCT(OfContactsQuery, (), (organization_id, contact_ids, messages))

struct ContactConversations {
  model::Uuid contact_id;
  std::vector<model::ConversationInContact> conversations;
};

// The event that tells of a conversation's new status.
struct StatusChange {
  static constexpr std::string_view type = "conversation.status";
  model::Uuid organizationId;
  model::Uuid conversationId;
  model::Uuid contactId;
  model::ConversationStatus from = model::ConversationStatus::Active;
  model::ConversationStatus to = model::ConversationStatus::Active;
};
BOOST_DESCRIBE_STRUCT(StatusChange, (), (organizationId, conversationId, contactId, from, to))

}  // namespace parley::conversations::conversations
