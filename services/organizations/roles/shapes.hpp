#pragma once
#include <boost/describe/class.hpp>

#include "common/identity/permission.hpp"
#include "common/model/organization.hpp"

namespace parley::organizations::roles {

// The body of POST /api/rbac/roles.
struct CreateRole {
  std::string name;
  std::optional<std::string> description;
  std::vector<std::string> permissions;
};
BOOST_DESCRIBE_STRUCT(CreateRole, (), (name, description, permissions))

// The same, checked.
struct NewRole {
  std::string name;
  std::string description;
  identity::PermissionSet permissions;
};

struct RoleAnswer {
  model::Role role;
};
BOOST_DESCRIBE_STRUCT(RoleAnswer, (), (role))

}  // namespace parley::organizations::roles
