#pragma once
// What organizations tells the others.
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/json.hpp"

namespace parley::events {

// Something changed that may change what a credential is worth: who remembers its worth forgets it. Only what is named
// is meant; the organization alone is all of it.
struct AccessChanged {
  static constexpr std::string_view type = "access.changed";
  model::Uuid organizationId;
  std::optional<model::Uuid> memberId;
  std::optional<model::Uuid> personId;  // in every organization
  std::optional<model::Uuid> credentialId;
};
BOOST_DESCRIBE_STRUCT(AccessChanged, (), (organizationId, memberId, personId, credentialId))

// What the organization sends through was connected or replaced: whoever remembers it forgets it, and whose these
// numbers of the channel are: the one that it has now, and those that it has left.
struct AccountChanged {
  static constexpr std::string_view type = "account.changed";
  model::Uuid organizationId;
  std::vector<std::string> phoneNumberIds;
};
BOOST_DESCRIBE_STRUCT(AccountChanged, (), (organizationId, phoneNumberIds))

// The organization is no more: whoever holds something of it removes that.
struct OrganizationDeleted {
  static constexpr std::string_view type = "organization.deleted";
  model::Uuid organizationId;
};
BOOST_DESCRIBE_STRUCT(OrganizationDeleted, (), (organizationId))

}  // namespace parley::events
