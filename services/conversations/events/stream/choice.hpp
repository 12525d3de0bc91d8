#pragma once
#include <algorithm>
#include <array>
#include <bitset>
#include <optional>

#include "conversations/events/public_events/notices.hpp"

namespace parley::conversations::stream {

// What streams tell: public events, and who looks at a conversation, which no webhook does.
inline constexpr auto kTypes = [] {
  std::array<std::string_view, public_events::kTypes.size() + 1> out{};
  std::ranges::copy(public_events::kTypes, out.begin());
  out.back() = "conversation.presence";
  return out;
}();
inline constexpr std::size_t kPresence = kTypes.size() - 1;

// What an event is about, as far as a choice depends on it.
struct Topic {
  std::size_t type = 0;  // of kTypes
  std::optional<model::Uuid> conversation_id, campaign_id;
  std::optional<model::Uuid> member_id{};  // whose presence it is, which that member is not told
  bool by_import = false;                  // contacts that an import has made or changed

  static Topic of(const public_events::Notice& notice);
};

// The events that a client is told: those that it may see and has asked for.
struct Choice {
  using Types = std::bitset<kTypes.size()>;

  identity::PermissionSet permissions{};
  model::Uuid member_id{};  // who listens
  Types types = Types().set();
  std::optional<model::Uuid> conversation_id{}, campaign_id{};  // of these alone
  // Also the statuses of campaigns' messages, of which one campaign has millions. Those of `campaign_id` always.
  bool campaign_messages = false;
  bool imported_contacts = false;  // also contacts that imports make and change, of which one may have millions

  bool takes(const Topic& topic) const;
};

}  // namespace parley::conversations::stream
