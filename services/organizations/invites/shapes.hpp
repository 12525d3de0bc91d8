#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/page.hpp"
#include "common/model/organization.hpp"
#include "common/model/page.hpp"
#include "common/model/versioned.hpp"
#include "organizations/roles/page.hpp"

namespace parley::organizations::invites {

enum class Status { Pending, Expired, Accepted };
BOOST_DESCRIBE_ENUM(Status, Pending, Expired, Accepted)

struct Invite {
  model::Uuid uniqueId;
  std::string email;
  model::AccessLevel accessLevel = model::AccessLevel::Member;
  std::vector<model::Role> roles;
  Status status = Status::Pending;
  model::Uuid invitedBy;  // a member, possibly removed
  model::Timestamp createdAt;
  model::Timestamp expiresAt;
  std::optional<model::Timestamp> acceptedAt;
};
BOOST_DESCRIBE_STRUCT(Invite, (),
                      (uniqueId, email, accessLevel, roles, status, invitedBy, createdAt, expiresAt, acceptedAt))

// An Invite whose roles are serialized already.
struct PageInvite {
  model::Uuid uniqueId;
  std::string email;
  model::AccessLevel accessLevel = model::AccessLevel::Member;
  model::RawJson roles{"[]"};
  Status status = Status::Pending;
  model::Uuid invitedBy;
  model::Timestamp createdAt;
  model::Timestamp expiresAt;
  std::optional<model::Timestamp> acceptedAt;
};
BOOST_DESCRIBE_STRUCT(PageInvite, (),
                      (uniqueId, email, accessLevel, roles, status, invitedBy, createdAt, expiresAt, acceptedAt))

using VersionedInvite = model::Versioned<Invite>;

enum class SortBy { createdAt, email };
BOOST_DESCRIBE_ENUM(SortBy, createdAt, email)

struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
  std::optional<Status> status;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by, status))

struct Filter : http::PageFilter<SortBy> {
  std::optional<Status> status;
};

struct Page {
  roles::Shown<PageInvite> shown;
  std::int64_t total = 0;
};

struct PageResponse {
  std::vector<PageInvite> invites;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (invites, paginationMeta))

struct InviteResponse {
  Invite invite;
};
BOOST_DESCRIBE_STRUCT(InviteResponse, (), (invite))

struct CreateInvite {
  std::string email;
  std::optional<model::AccessLevel> accessLevel;  // default: Member
  std::optional<std::vector<model::Uuid>> roles;
};
BOOST_DESCRIBE_STRUCT(CreateInvite, (), (email, accessLevel, roles))

struct NewInvite {
  std::string email;
  model::AccessLevel access_level = model::AccessLevel::Member;
  std::vector<model::Uuid> roles;
};

struct CreatedResponse {
  Invite invite;
  std::string token;  // returned only here
};
BOOST_DESCRIBE_STRUCT(CreatedResponse, (), (invite, token))

// The body of POST /api/auth/join-organization; name and password only without an account.
struct Join {
  std::string token;
  std::optional<std::string> name;
  std::optional<std::string> password;
};
BOOST_DESCRIBE_STRUCT(Join, (), (token, name, password))

// An account to be created on joining.
struct NewAccount {
  std::string name;
  std::string password_hash;
};

struct JoinedOrganization {
  model::Uuid uniqueId;
  std::string name;
};
BOOST_DESCRIBE_STRUCT(JoinedOrganization, (), (uniqueId, name))

struct JoinResponse {
  JoinedOrganization organization;
  model::OrganizationMember member;
  model::Uuid person;  // not shown
};
BOOST_DESCRIBE_STRUCT(JoinResponse, (), (organization, member))

}  // namespace parley::organizations::invites
