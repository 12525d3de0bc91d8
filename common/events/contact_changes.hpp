#pragma once
// What contacts tells the others of what is no more: each is told in the transaction that deletes it. Ids are never
// given again, so hearing of a deletion twice, or late, does no harm.
#include <boost/describe/class.hpp>
#include <vector>

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

}  // namespace parley::events
