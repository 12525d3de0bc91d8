#pragma once
#include <boost/describe/class.hpp>

#include "organizations/members/shapes.hpp"

namespace parley::organizations::members {

// See roles::show().
struct PageRow : PageMember {
  std::vector<model::Uuid> role_ids;
  std::int64_t octets = 0;
};
BOOST_DESCRIBE_STRUCT(PageRow, (PageMember), (role_ids, octets))

struct MembershipRow {
  model::Uuid organization_id;
  model::Uuid member_id;
};
BOOST_DESCRIBE_STRUCT(MembershipRow, (), (organization_id, member_id))

struct NamedRow {
  model::Uuid id;
  std::string name;
};
BOOST_DESCRIBE_STRUCT(NamedRow, (), (id, name))

// The audit's copy of a member's rights.
struct KeptRole {
  model::Uuid uniqueId;
  std::string name;
};
BOOST_DESCRIBE_STRUCT(KeptRole, (), (uniqueId, name))
struct KeptRights {
  model::AccessLevel accessLevel = model::AccessLevel::Member;
  std::vector<KeptRole> roles;
};
BOOST_DESCRIBE_STRUCT(KeptRights, (), (accessLevel, roles))

}  // namespace parley::organizations::members
