#pragma once
// The public form of a change, for the event stream and webhooks: `{"type", "timestamp", "data"}`. `data` is a struct
// of shapes.hpp, for some types with the current `message`, `conversation`, both or `note` (null if gone).
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

inline constexpr std::array<std::string_view, 25> kTypes{
    "contact.created",      "contact.updated",     "contact.deleted", "contact.merged",  "contact.opted_out",
    "contact.opted_in",     "message.created",     "message.changed", "message.status",  "conversation.created",
    "conversation.changed", "conversation.status", "note.created",    "note.changed",    "note.deleted",
    "campaign.status",      "campaign.progress",   "campaign.reply",  "campaign.click",  "account.notice",
    "template.changed",     "quota.reached",       "import.status",   "import.progress", "webhook.health"};
// Webhooks can subscribe to these alone: a webhook that was told of its own health would change it by that.
inline constexpr auto kWebhookTypes = std::span(kTypes).first<kTypes.size() - 1>();

// The permissions needed to receive a type, since it shows their resources.
identity::PermissionSet permissions_of(std::string_view type);
// Without any of these, a member receives nothing.
inline constexpr std::array kPermissions{
    identity::Permission::get_conversation,      identity::Permission::get_campaign,
    identity::Permission::get_contact,           identity::Permission::get_phone_numbers,
    identity::Permission::get_message_templates, identity::Permission::get_organization,
    identity::Permission::bulk_import_contacts,  identity::Permission::update_integration_settings};

struct Notice {
  std::string_view type;  // of kTypes
  model::Uuid organization_id;
  model::Timestamp at;
  std::string facts;                                                // members of `data`, separated by commas
  std::optional<model::Uuid> contact_id;                            // the contact whose data it may hold
  std::optional<model::Uuid> message_id, conversation_id, note_id;  // resources to show
  std::optional<model::Uuid> of_conversation, of_campaign;          // what it is about
  std::optional<model::Uuid> by_import;                             // that changed its contacts
};

// The notices of an event, in the order of its changes. Throws events::BadEvent.
std::vector<Notice> notices_of(const events::Event& event);

// The changes of another context's event that have a public form, for this context's feed: streams follow that one
// alone, so that one position says what a client has. Webhooks are told of the event itself.
events::Changes relayed(const events::Event& event);
// The same as notices_of(), and those of relayed changes, in order.
std::vector<Notice> notices_with_relayed(const events::Event& event);

class Resources {
 public:
  Resources() = default;
  // The statements to run; empty if no notice shows a resource.
  static pg::Batch question(std::span<const Notice> notices);
  explicit Resources(const pg::Results& answer);

  // One line of JSON.
  std::string show(const Notice& notice) const;

 private:
  using Key = std::pair<model::Uuid, model::Uuid>;  // organization and id
  std::map<Key, std::string> messages_, conversations_, notes_;
};

}  // namespace parley::conversations::public_events
