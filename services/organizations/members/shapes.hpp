#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/contracts/organizations.hpp"
#include "common/http/page.hpp"
#include "common/model/organization.hpp"
#include "common/model/page.hpp"
#include "common/model/versioned.hpp"
#include "organizations/roles/page.hpp"

namespace parley::organizations::members {

using VersionedMember = model::Versioned<model::OrganizationMember>;

enum class SortBy { createdAt, name, email };
BOOST_DESCRIBE_ENUM(SortBy, createdAt, name, email)

struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
  std::optional<model::AccessLevel> access_level;
  std::optional<model::Uuid> role_id;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by, access_level, role_id))

struct Filter : http::PageFilter<SortBy> {
  std::optional<model::AccessLevel> access_level;
  std::optional<model::Uuid> role_id;
};

using PageMember = contracts::organizations::Member;

struct Page {
  roles::Shown<PageMember> shown;
  std::int64_t total = 0;
};

struct PageResponse {
  std::vector<PageMember> members;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (members, paginationMeta))

struct MemberResponse {
  model::OrganizationMember member;
};
BOOST_DESCRIBE_STRUCT(MemberResponse, (), (member))

// The body of POST /api/organization/members/{id}; absent values stay unchanged. `roles` are all roles.
struct UpdateMember {
  std::optional<model::AccessLevel> accessLevel;
  std::optional<std::vector<model::Uuid>> roles;
};
BOOST_DESCRIBE_STRUCT(UpdateMember, (), (accessLevel, roles))

struct NewMember {
  std::string name;  // for a new person
  std::string email;
  model::AccessLevel access_level = model::AccessLevel::Member;
  std::vector<std::string> roles;  // names
};

// A member, with apiKey if it was created, and passwordToken if the person has no password.
struct Enrolled {
  model::Uuid organizationId;
  model::Uuid memberId;
  std::optional<std::string> apiKey;
  std::optional<std::string> passwordToken{};
  bool takenOver = false;  // the address had an unproved account; see users::hold()
};
BOOST_DESCRIBE_STRUCT(Enrolled, (), (organizationId, memberId, apiKey, passwordToken, takenOver))

}  // namespace parley::organizations::members
