#pragma once
#include <boost/describe/class.hpp>

#include "common/identity/permission.hpp"
#include "common/model/organization.hpp"

namespace parley::organizations::members {

struct MemberRoleRow {
  model::Uuid member_id;
  model::Uuid id;
  std::string name;
  std::string description;
  std::int64_t permissions = 0;
};
BOOST_DESCRIBE_STRUCT(MemberRoleRow, (), (member_id, id, name, description, permissions))

inline model::Role to_role(MemberRoleRow row) {
  const identity::PermissionSet permissions(static_cast<std::uint64_t>(row.permissions));
  return {row.id, std::move(row.name), std::move(row.description), permissions.names()};
}

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

// What the audit keeps of a member's rights.
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
