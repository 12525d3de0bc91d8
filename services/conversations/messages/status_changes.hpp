#pragma once
#include <span>

#include "common/events/conversation_changes.hpp"
#include "conversations/messages/engagement/campaign_counters.hpp"

namespace parley::conversations::messages {

struct Rise {
  model::Uuid id, conversation_id, contact_id;
  std::optional<model::Uuid> campaign_id;
  model::Timestamp created_at;
  model::MessageStatus was = model::MessageStatus::Queued;
  model::MessageStatus status = model::MessageStatus::Queued;
  std::optional<std::int64_t> error_code;
  std::optional<std::string> error_text;
  model::Timestamp status_at;
};
BOOST_DESCRIBE_STRUCT(Rise, (),
                      (id, conversation_id, contact_id, campaign_id, created_at, was, status, error_code, error_text,
                       status_at))

// Emits message.status for each rise, and counts the rises of campaign messages.
void emit(events::Changes& changes, engagement::CampaignCounters& counters, const model::Uuid& organization,
          std::span<const Rise> rises);

}  // namespace parley::conversations::messages
