#pragma once
// Rights of members, and rules for granting them. Changes are checked against the database's present state, not the
// rights that a request was admitted with, and serialized, so that two Owners cannot demote each other.
#include <boost/asio/awaitable.hpp>

#include "common/chassis/pipeline.hpp"
#include "common/events/organization_changes.hpp"
#include "common/pg/pool.hpp"
#include "organizations/audit/record.hpp"

namespace parley::organizations::authorization {

using boost::asio::awaitable;

struct Rights {
  model::AccessLevel level = model::AccessLevel::Member;
  identity::PermissionSet permissions;
};

// The caller, with the rights that its request was admitted with.
struct Caller {
  audit::Actor actor;
  Rights rights;

  const model::Uuid& organization() const { return actor.organization_id; }
  const model::Uuid& member() const { return *actor.member_id; }
};
Caller caller_of(const chassis::Call& call);

// Locks the organization against other changes of rights until the transaction ends. Returns the caller's present
// rights, at most those of the request. Throws a Problem 403 if the caller is no member any more or lacks `needed`.
awaitable<Rights> lock(pg::Transaction& transaction, const Caller& caller,
                       const std::optional<identity::Permission>& needed);

// Locks the person against users::hold() until the transaction ends. Throws a Problem 401 if the request's credential
// has ended. Required before a person gets anything that outlives the credential: gateways cache verdicts and may admit
// a request for a moment after its credential has ended. An organization must be locked before.
awaitable<void> require_live(pg::Transaction& transaction, model::Uuid person, std::string credential_id);

// Both; an ended credential is reported (401) before a lost membership or permission (403).
awaitable<Rights> lock_live(pg::Transaction& transaction, const Caller& caller, model::Uuid person,
                            std::optional<identity::Permission> needed);

// Throws a Problem 403 unless the caller may grant this level and change its members: Owners all, others up to their
// own. `pointer` is the field at fault; "" for none.
void check_level(const Rights& caller, model::AccessLevel level, std::string_view pointer);

// The member's present rights; nullopt if it does not exist. Requires the organization to be locked.
awaitable<std::optional<Rights>> find(pg::Transaction& transaction, model::Uuid organization, model::Uuid member);

// Permissions to be granted, and the field of the request that asks for them.
struct Grant {
  std::string pointer;
  identity::PermissionSet permissions;
};
// Throws a Problem 403 with each permission that the caller lacks and its field: callers grant only what they hold.
void check_grants(const Rights& caller, const std::vector<Grant>& grants);

// Throws a Problem 403 with the permissions that the caller lacks: these protect a role from changes and removal.
void check_holds(const Rights& caller, identity::PermissionSet permissions, std::string_view pointer);

struct RoleGrant {
  model::Uuid id;
  std::string name;
  Grant grant;
};
// The roles with these ids, without duplicates, sorted by id. Throws a Problem 400 that names unknown ones.
awaitable<std::vector<RoleGrant>> find_roles(pg::Transaction& transaction, model::Uuid organization,
                                             std::vector<model::Uuid> ids);

// Emits the change, so that caches of verdicts on credentials drop them.
void announce(pg::Batch& batch, const events::AccessChanged& change);

}  // namespace parley::organizations::authorization
