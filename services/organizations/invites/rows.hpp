#pragma once
#include <boost/describe/class.hpp>

#include "organizations/invites/shapes.hpp"

namespace parley::organizations::invites {

// See roles::show().
struct PageRow : PageInvite {
  std::vector<model::Uuid> role_ids;
  std::int64_t octets = 0;
};
BOOST_DESCRIBE_STRUCT(PageRow, (PageInvite), (role_ids, octets))

// An open invite.
struct OpenRow {
  std::string secret_hash;
  std::string email;
  model::AccessLevel access_level = model::AccessLevel::Member;
  std::string organization_name;
  model::Uuid invited_by;
  std::int64_t permissions = 0;  // union of the roles granted
};
BOOST_DESCRIBE_STRUCT(OpenRow, (), (secret_hash, email, access_level, organization_name, invited_by, permissions))

}  // namespace parley::organizations::invites
