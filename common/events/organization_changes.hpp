#pragma once
// Events of organizations.
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/json.hpp"

namespace parley::events {

// Rights of credentials may have changed: caches drop whatever matches one of the ids. The organization alone means
// all of its credentials.
struct AccessChanged {
  static constexpr std::string_view type = "access.changed";
  model::Uuid organizationId;
  std::optional<model::Uuid> memberId;
  std::optional<model::Uuid> personId;  // in every organization
  std::optional<model::Uuid> credentialId;
};
BOOST_DESCRIBE_STRUCT(AccessChanged, (), (organizationId, memberId, personId, credentialId))

// The organization's channel account was connected or replaced: caches drop the account, and the owner of these
// numbers: the current one and former ones.
struct AccountChanged {
  static constexpr std::string_view type = "account.changed";
  model::Uuid organizationId;
  std::vector<std::string> phoneNumberIds;
};
BOOST_DESCRIBE_STRUCT(AccountChanged, (), (organizationId, phoneNumberIds))

// The organization was deleted: consumers remove its data.
struct OrganizationDeleted {
  static constexpr std::string_view type = "organization.deleted";
  model::Uuid organizationId;
};
BOOST_DESCRIBE_STRUCT(OrganizationDeleted, (), (organizationId))

}  // namespace parley::events
