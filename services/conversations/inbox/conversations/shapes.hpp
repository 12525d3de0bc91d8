#pragma once
#include <boost/describe/class.hpp>

#include "common/contracts/conversations.hpp"
#include "common/http/page.hpp"
#include "common/model/conversation.hpp"
#include "common/model/page.hpp"
#include "conversations/messages/shapes.hpp"

namespace parley::conversations::conversations {

inline constexpr auto kDeletion = "conversation";  // the kind of background removal, see recovery/deletions
inline constexpr std::int64_t kMessages = contracts::conversations::kMaxMessages;

// ---- queries --------------------------------------------------------------------------------------------------------

enum class SortBy { lastMessageAt, createdAt };
BOOST_DESCRIBE_ENUM(SortBy, lastMessageAt, createdAt)

// GET /api/conversations
struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
  std::optional<model::ConversationStatus> status;
  std::optional<model::Uuid> contact_id, campaign_id, list_id;
  std::optional<std::string> assigned_to;  // a member's id, or `none`
  std::optional<bool> unread, awaiting;    // false is the same as missing
  std::optional<bool> has_inbound;
  std::optional<model::ConversationInitiator> initiated_by;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery),
                      (sort_by, status, contact_id, campaign_id, list_id, assigned_to, unread, awaiting, has_inbound,
                       initiated_by))

// The checked query. A cursor sorted by lastMessageAt has the last row's time in microseconds.
struct Filter : http::PageFilter<SortBy> {
  std::optional<model::ConversationStatus> status;  // default: all but Deleted; Deleted finds tombstones only
  std::optional<model::Uuid> contact_id, campaign_id, list_id, member_id;
  bool unassigned = false;
  bool unread = false;
  bool awaiting = false;
  std::optional<bool> has_inbound;
  std::optional<model::ConversationInitiator> initiated_by;
};

// GET /api/conversations/counts
struct CountsQuery {
  std::optional<bool> has_inbound;
};
BOOST_DESCRIBE_STRUCT(CountsQuery, (), (has_inbound))

// ---- bodies ---------------------------------------------------------------------------------------------------------

// POST /api/conversation/{id}
struct UpdateConversation {
  model::ConversationStatus status = model::ConversationStatus::Active;
};
BOOST_DESCRIBE_STRUCT(UpdateConversation, (), (status))

// POST /api/conversation
struct StartConversation {
  model::Uuid contactId;
  std::optional<messages::MessageBody> message;
};
BOOST_DESCRIBE_STRUCT(StartConversation, (), (contactId, message))

// POST /api/conversation/{id}/assign
struct Assign {
  model::Uuid memberId;
};
BOOST_DESCRIBE_STRUCT(Assign, (), (memberId))

// POST /api/conversation/{id}/tags: ids of tags, or labels.
struct SetTags {
  std::vector<std::string> tags;
};
BOOST_DESCRIBE_STRUCT(SetTags, (), (tags))

struct Locked {
  model::Uuid contact_id;
  model::ConversationStatus status = model::ConversationStatus::Active;
  bool tombstone = false;
  std::int64_t unread_messages = 0;
  std::string version;
};
BOOST_DESCRIBE_STRUCT(Locked, (), (contact_id, status, tombstone, unread_messages, version))

// ---- responses ------------------------------------------------------------------------------------------------------

struct ConversationResponse {
  model::Conversation conversation;
};
BOOST_DESCRIBE_STRUCT(ConversationResponse, (), (conversation))

struct PageResponse {
  std::vector<model::Conversation> conversations;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (conversations, paginationMeta))

// The tabs of an inbox. All but `closed` are of Active conversations.
struct Counts {
  std::int64_t active = 0, closed = 0, unread = 0, awaiting = 0, assignedToMe = 0, unassigned = 0;
};
BOOST_DESCRIBE_STRUCT(Counts, (), (active, closed, unread, awaiting, assignedToMe, unassigned))

struct CountsResponse {
  Counts counts;
};
BOOST_DESCRIBE_STRUCT(CountsResponse, (), (counts))

// A conversation without the parts of other services, and the ids to request them.
struct Found {
  model::Conversation conversation;
  std::optional<model::Uuid> assigned_member_id;
  std::vector<model::Uuid> tag_ids;
  bool tombstone = false;  // what remains after its contact was deleted
  // Changes with the status, assignment, tags and read state, not with messages. "" on pages.
  std::string version;
};

// ---- internal responses and events ----------------------------------------------------------------------------------

struct ContactConversations {
  model::Uuid contact_id;
  std::vector<model::ConversationInContact> conversations;
  bool is_long = false;  // lacks messages, which are long: it is to be requested alone
};

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
