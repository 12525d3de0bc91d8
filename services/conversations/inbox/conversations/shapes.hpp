#pragma once
#include <boost/describe/class.hpp>

#include "common/contracts/conversations.hpp"
#include "common/http/page.hpp"
#include "common/model/conversation.hpp"
#include "common/model/page.hpp"
#include "conversations/messages/shapes.hpp"

namespace parley::conversations::conversations {

// The newest messages that a conversation is answered with.
inline constexpr std::int64_t kMessages = contracts::conversations::kMaxMessages;

// ---- which conversations --------------------------------------------------------------------------------------------

enum class SortBy { lastMessageAt, createdAt };
BOOST_DESCRIBE_ENUM(SortBy, lastMessageAt, createdAt)

// The parameters of GET /api/conversations.
struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
  std::optional<model::ConversationStatus> status;
  std::optional<model::Uuid> contact_id, campaign_id, list_id;
  std::optional<std::string> assigned_to;  // a member's id, or `none`
  std::optional<bool> unread;              // false is as if it were not there
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery),
                      (sort_by, status, contact_id, campaign_id, list_id, assigned_to, unread))

// The same, checked. A cursor has the last one's microsecond of lastMessageAt, if sorted by it.
struct Filter : http::PageFilter<SortBy> {
  std::optional<model::ConversationStatus> status;  // all but Deleted, if nothing is said; of those tombstones only
  std::optional<model::Uuid> contact_id, campaign_id, list_id, member_id;
  bool unassigned = false;
  bool unread = false;
};

// ---- what is changed ------------------------------------------------------------------------------------------------

// The body of POST /api/conversation/{id}.
struct UpdateConversation {
  model::ConversationStatus status = model::ConversationStatus::Active;
};
BOOST_DESCRIBE_STRUCT(UpdateConversation, (), (status))

// The body of POST /api/conversation.
struct StartConversation {
  model::Uuid contactId;
  std::optional<messages::MessageBody> message;
};
BOOST_DESCRIBE_STRUCT(StartConversation, (), (contactId, message))

// The body of POST /api/conversation/{id}/assign.
struct Assign {
  model::Uuid memberId;
};
BOOST_DESCRIBE_STRUCT(Assign, (), (memberId))

// The body of POST /api/conversation/{id}/tags: each a tag's id, or else a label.
struct SetTags {
  std::vector<std::string> tags;
};
BOOST_DESCRIBE_STRUCT(SetTags, (), (tags))

// What a change finds, and holds until its transaction ends.
struct Locked {
  model::Uuid contact_id;
  model::ConversationStatus status = model::ConversationStatus::Active;
  bool tombstone = false;
  std::int64_t unread_messages = 0;
  std::string version;
};
BOOST_DESCRIBE_STRUCT(Locked, (), (contact_id, status, tombstone, unread_messages, version))

// ---- what is answered -----------------------------------------------------------------------------------------------

struct ConversationResponse {
  model::Conversation conversation;
};
BOOST_DESCRIBE_STRUCT(ConversationResponse, (), (conversation))

struct PageResponse {
  std::vector<model::Conversation> conversations;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (conversations, paginationMeta))

// A conversation without what other contexts know of it, and what to ask them for.
struct Found {
  model::Conversation conversation;
  std::optional<model::Uuid> assigned_member_id;
  std::vector<model::Uuid> tag_ids;
  bool tombstone = false;  // what is left of it after its contact was deleted
  // Of its status, who is in charge, its tags and what was read of it, not of its messages. "" on pages.
  std::string version;
};

// ---- what other contexts ask for and are told -----------------------------------------------------------------------

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
