#pragma once
// What contacts tells the others of contacts, lists and tags, each in the transaction that changes them. Ids are never
// given again, so hearing of a deletion twice, or late, does no harm.
#include <boost/describe/class.hpp>
#include <vector>

#include "common/model/contact.hpp"
#include "common/model/json.hpp"

namespace parley::events {

// At most 1,000 contacts a change. Whatever others keep about them as persons has to go.
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

// At most 1,000 contacts a change, here and below.
struct ContactsCreated {
  static constexpr std::string_view type = "contact.created";
  model::Uuid organizationId;
  std::vector<model::Uuid> contactIds;
};
BOOST_DESCRIBE_STRUCT(ContactsCreated, (), (organizationId, contactIds))

struct ContactsUpdated {
  static constexpr std::string_view type = "contact.updated";
  model::Uuid organizationId;
  std::vector<model::Uuid> contactIds;
};
BOOST_DESCRIBE_STRUCT(ContactsUpdated, (), (organizationId, contactIds))

// A member gave contacts another status. Not told of what came from conversations as contact.opted_out or _in. `at` as
// there.
struct ContactStatusChanged {
  static constexpr std::string_view type = "contact.status";
  model::Uuid organizationId;
  std::vector<model::Uuid> contactIds;
  model::ContactStatus status = model::ContactStatus::Active;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(ContactStatusChanged, (), (organizationId, contactIds, status, at))

// Two turned out to be the same person: `from` is no more, what was its is `into`'s.
struct ContactMerged {
  static constexpr std::string_view type = "contact.merged";
  model::Uuid organizationId;
  model::Uuid from;
  model::Uuid into;
};
BOOST_DESCRIBE_STRUCT(ContactMerged, (), (organizationId, from, into))

// Contacts may have lost what conversations told of opt-outs, as when either database was restored from a backup:
// whoever knows of such compares. All statuses that members gave are told again with it.
struct ContactsUnsure {
  static constexpr std::string_view type = "contact.unsure";
  model::Timestamp at;  // when that was found out
};
BOOST_DESCRIBE_STRUCT(ContactsUnsure, (), (at))

}  // namespace parley::events
