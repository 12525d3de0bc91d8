#include "conversations/events/stream/choice.hpp"

#include <algorithm>

namespace parley::conversations::stream {

Topic Topic::of(const public_events::Notice& notice) {
  const auto place = std::ranges::find(public_events::kTypes, notice.type);
  return {
      static_cast<std::size_t>(place - public_events::kTypes.begin()), notice.of_conversation, notice.of_campaign, {}};
}

bool Choice::takes(const Topic& topic) const {
  const auto type = kTypes[topic.type];
  if (!types[topic.type] || !permissions.contains(public_events::permissions_of(type))) return false;
  if (topic.member_id && topic.member_id == member_id) return false;
  if (conversation_id && topic.conversation_id != conversation_id) return false;
  if (campaign_id) return topic.campaign_id == campaign_id;
  return campaign_messages || type != "message.status" || !topic.campaign_id;
}

}  // namespace parley::conversations::stream
