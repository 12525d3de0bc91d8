#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/page.hpp"
#include "common/identity/permission.hpp"
#include "common/model/organization.hpp"
#include "common/model/page.hpp"
#include "common/model/versioned.hpp"

namespace parley::organizations::roles {

using VersionedRole = model::Versioned<model::Role>;

enum class SortBy { createdAt, name };
BOOST_DESCRIBE_ENUM(SortBy, createdAt, name)

struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by))

using Filter = http::PageFilter<SortBy>;

struct Page {
  std::vector<model::Role> roles;
  std::int64_t total = 0;
};

struct PageResponse {
  std::vector<model::Role> roles;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (roles, paginationMeta))

struct CreateRole {
  std::string name;
  std::optional<std::string> description;
  std::vector<std::string> permissions;
};
BOOST_DESCRIBE_STRUCT(CreateRole, (), (name, description, permissions))

// The body of POST /api/rbac/roles/{id}; absent values stay unchanged.
struct UpdateRole {
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::optional<std::vector<std::string>> permissions;
};
BOOST_DESCRIBE_STRUCT(UpdateRole, (), (name, description, permissions))

// In the order of the request, so that a fault can name its place.
using Permissions = std::vector<identity::Permission>;

struct NewRole {
  std::string name;
  std::string description;
  Permissions permissions;
};
struct RoleChange {
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::optional<Permissions> permissions;
};

struct RoleResponse {
  model::Role role;
};
BOOST_DESCRIBE_STRUCT(RoleResponse, (), (role))

struct NoParameters {};
BOOST_DESCRIBE_STRUCT(NoParameters, (), ())

// A permission and whether the caller holds it.
struct KnownPermission {
  std::string name;
  bool held = false;
};
BOOST_DESCRIBE_STRUCT(KnownPermission, (), (name, held))

struct PermissionsResponse {
  std::vector<KnownPermission> permissions;
};
BOOST_DESCRIBE_STRUCT(PermissionsResponse, (), (permissions))

}  // namespace parley::organizations::roles
