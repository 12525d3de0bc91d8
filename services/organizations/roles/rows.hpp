#pragma once
#include <boost/describe/class.hpp>

#include "common/identity/permission.hpp"
#include "organizations/roles/shapes.hpp"

namespace parley::organizations::roles {

struct RoleRow {
  model::Uuid id;
  std::string name;
  std::string description;
  std::int64_t permissions = 0;
};
BOOST_DESCRIBE_STRUCT(RoleRow, (), (id, name, description, permissions))

inline identity::PermissionSet permissions_of(const RoleRow& row) {
  return identity::PermissionSet(static_cast<std::uint64_t>(row.permissions));
}

inline model::Role to_role(RoleRow row) {
  auto permissions = permissions_of(row).names();
  return {row.id, std::move(row.name), std::move(row.description), std::move(permissions)};
}

inline VersionedRole to_role(model::Versioned<RoleRow> row) {
  auto version = std::move(row.version);
  return {to_role(static_cast<RoleRow&&>(row)), std::move(version)};
}

}  // namespace parley::organizations::roles
