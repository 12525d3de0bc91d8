#include "conversations/messages/status_changes.hpp"

#include <map>
#include <tuple>

#include "common/events/campaign_changes.hpp"

namespace parley::conversations::messages {

namespace {
constexpr std::int64_t kQuarter = 15 * 60 * 1000;  // of an hour: what analytics counts by
}

void tell(events::Changes& changes, const model::Uuid& organization, std::span<const Rise> rises) {
  std::map<std::tuple<model::Uuid, std::int64_t, model::MessageStatus, model::MessageStatus>, events::CampaignMessages>
      campaigns;
  for (const auto& rise : rises) {
    changes.add(events::MessageStatusChanged{organization, rise.conversation_id, rise.contact_id, rise.id,
                                             rise.campaign_id, rise.was, rise.status, rise.error_code, rise.error_text,
                                             rise.status_at});
    if (!rise.campaign_id) continue;
    const auto quarter = rise.created_at.milliseconds_since_epoch / kQuarter;
    auto& counted = campaigns[{*rise.campaign_id, quarter, rise.was, rise.status}];
    counted = {organization, *rise.campaign_id, rise.created_at, rise.was, rise.status, counted.count.value_or(0) + 1};
  }
  for (const auto& [key, counted] : campaigns) changes.add(counted);
}

}  // namespace parley::conversations::messages
