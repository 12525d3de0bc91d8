#pragma once
// Events of conversations about messages and conversations. They carry ids and changes but no message content, so that
// a feed retains nothing of a deleted contact; consumers read content from the service's tables.
#include <boost/describe/class.hpp>
#include <optional>

#include "common/model/conversation.hpp"
#include "common/model/message.hpp"

namespace parley::events {

// A message was created. Not emitted for campaigns' outbound messages, which campaign.messages counts.
struct MessageCreated {
  static constexpr std::string_view type = "message.created";
  model::Uuid organizationId;
  model::Uuid conversationId;
  model::Uuid contactId;
  model::Uuid messageId;
  model::MessageDirection direction = model::MessageDirection::InBound;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(MessageCreated, (), (organizationId, conversationId, contactId, messageId, direction, at))

// The sender edited or revoked a message.
struct MessageChanged {
  static constexpr std::string_view type = "message.changed";
  model::Uuid organizationId;
  model::Uuid conversationId;
  model::Uuid contactId;
  model::Uuid messageId;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(MessageChanged, (), (organizationId, conversationId, contactId, messageId, at))

// The status of an outbound message advanced.
struct MessageStatusChanged {
  static constexpr std::string_view type = "message.status";
  model::Uuid organizationId;
  model::Uuid conversationId;
  model::Uuid contactId;
  model::Uuid messageId;
  std::optional<model::Uuid> campaignId;
  model::MessageStatus from = model::MessageStatus::Queued;
  model::MessageStatus to = model::MessageStatus::Queued;
  std::optional<std::int64_t> errorCode;  // from the channel
  std::optional<std::string> errorText;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(MessageStatusChanged, (),
                      (organizationId, conversationId, contactId, messageId, campaignId, from, to, errorCode, errorText,
                       at))

struct ConversationCreated {
  static constexpr std::string_view type = "conversation.created";
  model::Uuid organizationId;
  model::Uuid conversationId;
  model::Uuid contactId;
  model::ConversationInitiator initiatedBy = model::ConversationInitiator::Contact;
};
BOOST_DESCRIBE_STRUCT(ConversationCreated, (), (organizationId, conversationId, contactId, initiatedBy))

// The assignee, the tags or the read state changed; status changes are conversation.status.
struct ConversationChanged {
  static constexpr std::string_view type = "conversation.changed";
  model::Uuid organizationId;
  model::Uuid conversationId;
  model::Uuid contactId;
};
BOOST_DESCRIBE_STRUCT(ConversationChanged, (), (organizationId, conversationId, contactId))

// A member wrote a note to others in a conversation, changed it or deleted it.
struct NoteCreated {
  static constexpr std::string_view type = "note.created";
  model::Uuid organizationId;
  model::Uuid conversationId;
  model::Uuid contactId;
  model::Uuid noteId;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(NoteCreated, (), (organizationId, conversationId, contactId, noteId, at))

struct NoteChanged {
  static constexpr std::string_view type = "note.changed";
  model::Uuid organizationId;
  model::Uuid conversationId;
  model::Uuid contactId;
  model::Uuid noteId;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(NoteChanged, (), (organizationId, conversationId, contactId, noteId, at))

struct NoteDeleted {
  static constexpr std::string_view type = "note.deleted";
  model::Uuid organizationId;
  model::Uuid conversationId;
  model::Uuid contactId;
  model::Uuid noteId;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(NoteDeleted, (), (organizationId, conversationId, contactId, noteId, at))

// A contact opted out of campaigns, or in again; contacts sets its status accordingly. `at` orders it among status
// changes by members: the newest holds.
struct ContactOptedOut {
  static constexpr std::string_view type = "contact.opted_out";
  model::Uuid organizationId;
  model::Uuid contactId;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(ContactOptedOut, (), (organizationId, contactId, at))

struct ContactOptedIn {
  static constexpr std::string_view type = "contact.opted_in";
  model::Uuid organizationId;
  model::Uuid contactId;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(ContactOptedIn, (), (organizationId, contactId, at))

enum class NoticeSeverity { Information, Warning, Critical };
BOOST_DESCRIBE_ENUM(NoticeSeverity, Information, Warning, Critical)

// The channel told something about the organization's account on it.
struct AccountNoticed {
  static constexpr std::string_view type = "account.notice";
  model::Uuid organizationId;
  model::Uuid noticeId;
  std::string kind;   // the webhook's field
  std::string event;  // the channel's word; "" for none
  NoticeSeverity severity = NoticeSeverity::Information;
  std::string detail;
  std::optional<std::string> phoneNumber;  // null: the whole account
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(AccountNoticed, (), (organizationId, noticeId, kind, event, severity, detail, phoneNumber, at))

}  // namespace parley::events
