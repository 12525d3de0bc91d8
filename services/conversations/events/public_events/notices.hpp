#pragma once
// What the world outside is told of a change. The stream of events and the calls of webhooks say it in the same words:
// `{"type", "timestamp", "data"}`, where data is what shapes.hpp has for the type, with `message`, `conversation` or
// both as they are now, null if they are no more, for the types that show them.
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/events/changes.hpp"
#include "common/identity/permission.hpp"
#include "common/pg/batch.hpp"
#include "common/pg/results.hpp"

namespace parley::conversations::public_events {

// All that is ever told.
inline constexpr std::array<std::string_view, 16> kTypes{
    "contact.created",   "contact.updated",      "contact.deleted",      "contact.merged",
    "contact.opted_out", "contact.opted_in",     "message.created",      "message.changed",
    "message.status",    "conversation.created", "conversation.changed", "conversation.status",
    "campaign.status",   "campaign.progress",    "campaign.reply",       "campaign.click"};

// What whoever hears of a type must hold: all that it takes to see what it shows.
identity::PermissionSet permissions_of(std::string_view type);
// Whoever has none of these hears nothing.
inline constexpr std::array kPermissions{identity::Permission::get_conversation, identity::Permission::get_campaign,
                                         identity::Permission::get_contact};

struct Notice {
  std::string_view type;  // of kTypes
  model::Uuid organization_id;
  model::Timestamp at;
  std::string facts;                                       // members of `data`, with commas between them
  std::optional<model::Uuid> contact_id;                   // whose words may be in it
  std::optional<model::Uuid> message_id, conversation_id;  // what it shows
};

// What is to be told of an event, in the order of its changes. Throws events::BadEvent.
std::vector<Notice> notices_of(const events::Event& event);

// What notices show, loaded in one batch.
class Resources {
 public:
  Resources() = default;
  // What to ask the database for; empty if nothing is shown.
  static pg::Batch question(std::span<const Notice> notices);
  explicit Resources(const pg::Results& answer);

  // The notice as JSON, on one line.
  std::string show(const Notice& notice) const;

 private:
  using Key = std::pair<model::Uuid, model::Uuid>;  // organization and id
  std::map<Key, std::string> messages_, conversations_;
};

}  // namespace parley::conversations::public_events
