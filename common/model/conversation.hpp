#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/model/json.hpp"
#include "common/model/message.hpp"

namespace parley::model {

enum class ConversationStatus { Active, Closed, Deleted };
BOOST_DESCRIBE_ENUM(ConversationStatus, Active, Closed, Deleted)

enum class ConversationInitiator { Contact, Campaign, Member };
BOOST_DESCRIBE_ENUM(ConversationInitiator, Contact, Campaign, Member)

// A conversation as contacts embed it.
struct ConversationInContact {
  Uuid uniqueId;
  Uuid contactId;
  std::optional<Uuid> campaignId;
  Uuid organizationId;
  ConversationInitiator initiatedBy = ConversationInitiator::Contact;
  std::vector<Message> messages;  // newest first
  Timestamp createdAt;
  ConversationStatus status = ConversationStatus::Active;
};
BOOST_DESCRIBE_STRUCT(ConversationInContact, (),
                      (uniqueId, contactId, campaignId, organizationId, initiatedBy, messages, createdAt, status))

// A conversation in responses of conversations. The contact, the member and each Tag are JSON from other contexts.
struct Conversation : ConversationInContact {
  RawJson contact;
  std::int64_t numberOfUnreadMessages = 0;
  std::int64_t totalMessages = 0;
  RawJson assignedTo;
  std::vector<RawJson> tags;
  // Until then the channel accepts any message to the contact, afterwards only templates. Null: the contact never
  // wrote.
  std::optional<Timestamp> serviceWindowEndsAt;
};
BOOST_DESCRIBE_STRUCT(Conversation, (ConversationInContact),
                      (contact, numberOfUnreadMessages, totalMessages, assignedTo, tags, serviceWindowEndsAt))

}  // namespace parley::model
