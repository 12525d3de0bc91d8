#pragma once
#include <bitset>
#include <optional>

#include "conversations/events/public_events/notices.hpp"

namespace parley::conversations::stream {

// What an event is about, as far as a choice depends on it.
struct Topic {
  std::size_t type = 0;  // of public_events::kTypes
  std::optional<model::Uuid> conversation_id, campaign_id;

  static Topic of(const public_events::Notice& notice);
};

// The events that a client is told: those that it may see and has asked for.
struct Choice {
  using Types = std::bitset<public_events::kTypes.size()>;

  identity::PermissionSet permissions{};
  Types types = Types().set();
  std::optional<model::Uuid> conversation_id{}, campaign_id{};  // of these alone
  // Also the statuses of campaigns' messages, of which one campaign has millions. Those of `campaign_id` always.
  bool campaign_messages = false;

  bool takes(const Topic& topic) const;
};

}  // namespace parley::conversations::stream
