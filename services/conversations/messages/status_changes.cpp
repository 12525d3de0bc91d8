#include "conversations/messages/status_changes.hpp"

namespace parley::conversations::messages {

void emit(events::Changes& changes, engagement::CampaignCounters& counters, const model::Uuid& organization,
          std::span<const Rise> rises) {
  for (const auto& rise : rises) {
    changes.add(events::MessageStatusChanged{organization, rise.conversation_id, rise.contact_id, rise.id,
                                             rise.campaign_id, rise.was, rise.status, rise.error_code, rise.error_text,
                                             rise.status_at});
    if (rise.campaign_id) counters.message(*rise.campaign_id, rise.created_at, rise.was, rise.status);
  }
}

}  // namespace parley::conversations::messages
