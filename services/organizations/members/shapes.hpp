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

// The parameters of GET /api/organization/members.
struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
  std::optional<model::AccessLevel> access_level;
  std::optional<model::Uuid> role_id;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by, access_level, role_id))

// The same, checked.
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

// The body of POST /api/organization/members/{id}: what is left out stays. Roles are ids, and become all that the
// member has.
struct UpdateMember {
  std::optional<model::AccessLevel> accessLevel;
  std::optional<std::vector<model::Uuid>> roles;
};
BOOST_DESCRIBE_STRUCT(UpdateMember, (), (accessLevel, roles))

struct NewMember {
  std::string name;  // used if the person is new
  std::string email;
  model::AccessLevel access_level = model::AccessLevel::Member;
  std::vector<std::string> roles;  // names
};

// A member who was made, or was there already: then without a key, as keys are shown once. Who has no password gets a
// token that sets one.
struct Enrolled {
  model::Uuid organizationId;
  model::Uuid memberId;
  std::optional<std::string> apiKey;
  std::optional<std::string> passwordToken{};
  bool takenOver = false;  // somebody else was first with the address
};
BOOST_DESCRIBE_STRUCT(Enrolled, (), (organizationId, memberId, apiKey, passwordToken, takenOver))

}  // namespace parley::organizations::members
