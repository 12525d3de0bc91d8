#pragma once
// What conversations tells of messages and conversations. They carry ids and what changed, not what was said: whoever
// shows more reads it from the service's own tables, so that nothing of a deleted contact stays in a feed.
#include <boost/describe/class.hpp>
#include <optional>

#include "common/model/conversation.hpp"
#include "common/model/message.hpp"

namespace parley::events {

// A message was made. Not told of campaigns' outbound ones, which campaign.messages counts.
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

// What was said was changed or taken back by who said it.
struct MessageChanged {
  static constexpr std::string_view type = "message.changed";
  model::Uuid organizationId;
  model::Uuid conversationId;
  model::Uuid contactId;
  model::Uuid messageId;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(MessageChanged, (), (organizationId, conversationId, contactId, messageId, at))

// An outbound message rose from one status to another.
struct MessageStatusChanged {
  static constexpr std::string_view type = "message.status";
  model::Uuid organizationId;
  model::Uuid conversationId;
  model::Uuid contactId;
  model::Uuid messageId;
  std::optional<model::Uuid> campaignId;
  model::MessageStatus from = model::MessageStatus::Queued;
  model::MessageStatus to = model::MessageStatus::Queued;
  std::optional<std::int64_t> errorCode;  // the channel's
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

// Who is in charge, what tags it bears, or that its messages were read: whatever but its status, which
// conversation.status tells.
struct ConversationChanged {
  static constexpr std::string_view type = "conversation.changed";
  model::Uuid organizationId;
  model::Uuid conversationId;
  model::Uuid contactId;
};
BOOST_DESCRIBE_STRUCT(ConversationChanged, (), (organizationId, conversationId, contactId))

// A contact asked for no more campaigns, or for them again; contacts makes it their status. `at` orders it among what
// members do to that status: the newer word holds.
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

}  // namespace parley::events
