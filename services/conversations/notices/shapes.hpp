#pragma once
#include <boost/describe/class.hpp>

#include "common/model/conversation.hpp"

namespace parley::conversations::notices {

// A conversation as a notice shows it: what this service knows of it by itself.
struct Conversation {
  model::Uuid uniqueId;
  model::Uuid contactId;
  std::optional<model::Uuid> campaignId;
  model::Uuid organizationId;
  model::ConversationInitiator initiatedBy = model::ConversationInitiator::Contact;
  model::Timestamp createdAt;
  model::ConversationStatus status = model::ConversationStatus::Active;
  std::int64_t numberOfUnreadMessages = 0;
  std::int64_t totalMessages = 0;
  std::optional<model::Uuid> assignedMemberId;
  std::vector<model::Uuid> tagIds;
  std::optional<model::Timestamp> serviceWindowEndsAt;
};
BOOST_DESCRIBE_STRUCT(Conversation, (),
                      (uniqueId, contactId, campaignId, organizationId, initiatedBy, createdAt, status,
                       numberOfUnreadMessages, totalMessages, assignedMemberId, tagIds, serviceWindowEndsAt))

struct MessageRow : model::Message {
  model::Uuid organization_id;
};
BOOST_DESCRIBE_STRUCT(MessageRow, (model::Message), (organization_id))

}  // namespace parley::conversations::notices
