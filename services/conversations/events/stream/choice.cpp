#include "conversations/events/stream/choice.hpp"

#include <algorithm>

namespace parley::conversations::stream {

namespace {

// Made once: each event is asked about for each listener.
const identity::PermissionSet& permissions_of(std::size_t type) {
  static const auto all = [] {
    std::array<identity::PermissionSet, kTypes.size()> out;
    std::ranges::transform(kTypes, out.begin(), public_events::permissions_of);
    return out;
  }();
  return all[type];
}

}  // namespace

Topic Topic::of(const public_events::Notice& notice) {
  const auto place = std::ranges::find(public_events::kTypes, notice.type);
  return {static_cast<std::size_t>(place - public_events::kTypes.begin()),
          notice.of_conversation,
          notice.of_campaign,
          {},
          notice.by_import.has_value()};
}

bool Choice::takes(const Topic& topic) const {
  if (!types[topic.type] || !permissions.contains(permissions_of(topic.type))) return false;
  if (topic.by_import && !imported_contacts) return false;
  if (topic.member_id && topic.member_id == member_id) return false;
  if (conversation_id && topic.conversation_id != conversation_id) return false;
  if (campaign_id) return topic.campaign_id == campaign_id;
  return campaign_messages || !topic.campaign_id || kTypes[topic.type] != "message.status";
}

}  // namespace parley::conversations::stream
