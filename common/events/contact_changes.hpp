#pragma once
// Events of contacts about contacts, lists and tags, each emitted in the transaction of the change. Ids are never
// reused, so a repeated or late deletion is harmless.
#include <boost/describe/class.hpp>
#include <optional>
#include <vector>

#include "common/model/contact.hpp"
#include "common/model/json.hpp"

namespace parley::events {

// At most 1,000 contacts per event. Consumers must remove their personal data.
struct ContactsDeleted {
  static constexpr std::string_view type = "contact.deleted";
  model::Uuid organizationId;
  std::vector<model::Uuid> contactIds;
};
BOOST_DESCRIBE_STRUCT(ContactsDeleted, (), (organizationId, contactIds))

struct ListDeleted {
  static constexpr std::string_view type = "list.deleted";
  model::Uuid organizationId;
  model::Uuid listId;
};
BOOST_DESCRIBE_STRUCT(ListDeleted, (), (organizationId, listId))

struct TagDeleted {
  static constexpr std::string_view type = "tag.deleted";
  model::Uuid organizationId;
  model::Uuid tagId;
};
BOOST_DESCRIBE_STRUCT(TagDeleted, (), (organizationId, tagId))

// At most 1,000 contacts per event, here and below.
struct ContactsCreated {
  static constexpr std::string_view type = "contact.created";
  model::Uuid organizationId;
  std::vector<model::Uuid> contactIds;
  std::optional<model::Uuid> importId{};  // that made them
};
BOOST_DESCRIBE_STRUCT(ContactsCreated, (), (organizationId, contactIds, importId))

struct ContactsUpdated {
  static constexpr std::string_view type = "contact.updated";
  model::Uuid organizationId;
  std::vector<model::Uuid> contactIds;
  std::optional<model::Uuid> importId{};  // that changed them
};
BOOST_DESCRIBE_STRUCT(ContactsUpdated, (), (organizationId, contactIds, importId))

// A member changed the status of contacts. Not emitted for changes caused by contact.opted_out or contact.opted_in of
// conversations. `at` orders it among those.
struct ContactStatusChanged {
  static constexpr std::string_view type = "contact.status";
  model::Uuid organizationId;
  std::vector<model::Uuid> contactIds;
  model::ContactStatus status = model::ContactStatus::Active;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(ContactStatusChanged, (), (organizationId, contactIds, status, at))

// Two contacts were the same person: `from` is deleted, and `into` takes over its data.
struct ContactMerged {
  static constexpr std::string_view type = "contact.merged";
  model::Uuid organizationId;
  model::Uuid from;
  model::Uuid into;
};
BOOST_DESCRIBE_STRUCT(ContactMerged, (), (organizationId, from, into))

// Contacts may have lost opt-outs reported by conversations, as after a restore of either database: consumers with
// opt-outs compare theirs. All statuses set by members are emitted again with this event.
struct ContactsUnsure {
  static constexpr std::string_view type = "contact.unsure";
  model::Timestamp at;  // when the loss was detected
};
BOOST_DESCRIBE_STRUCT(ContactsUnsure, (), (at))

}  // namespace parley::events
