#pragma once
// What members may do and give. Who changes the rights of others is judged by what the database says of them at that
// moment, not by what it said when their request was let in; and changes to an organization's rights take turns, so
// that two Owners cannot depose each other.
#include <boost/asio/awaitable.hpp>

#include "common/chassis/pipeline.hpp"
#include "common/events/organization_changes.hpp"
#include "common/pg/pool.hpp"
#include "organizations/audit/record.hpp"

namespace parley::organizations::rights {

using boost::asio::awaitable;

struct Rights {
  model::AccessLevel level = model::AccessLevel::Member;
  identity::PermissionSet permissions;
};

// Who changes something, with the rights that their request was let in with.
struct Caller {
  audit::Actor actor;
  Rights rights;

  const model::Uuid& organization() const { return actor.organization_id; }
  const model::Uuid& member() const { return *actor.member_id; }
};
Caller caller_of(const chassis::Call& call);

// Makes the organization's other changes of rights wait until the transaction ends, and gives what the caller may do
// now: no more than their request came with. A Problem 403 when they are no member any more, or lack what is needed.
awaitable<Rights> lock(pg::Transaction& transaction, const Caller& caller,
                       const std::optional<identity::Permission>& needed);

// Makes whoever ends all that a person has (people::hold()) wait until the transaction ends, or waits for them; a
// Problem 401 when the credential that the request came with has ended. For what gives a person something that outlives
// it: a request is let in by what a gateway remembers, for a moment longer than that is true. An organization is locked
// before.
awaitable<void> require_live(pg::Transaction& transaction, model::Uuid person, std::string credential_id);

// Both: a credential that has ended is told of as such, also where its member is no more or may less.
awaitable<Rights> lock_live(pg::Transaction& transaction, const Caller& caller, model::Uuid person,
                            std::optional<identity::Permission> needed);

// A Problem 403 unless the caller may give that level, and change somebody who has it: Owners all, others what is not
// above themselves. `pointer` is the place to blame, "" for none.
void check_level(const Rights& caller, model::AccessLevel level, std::string_view pointer);

// What the member may do at this moment; nothing when there is no such member. To be called with the organization
// locked.
awaitable<std::optional<Rights>> find(pg::Transaction& transaction, model::Uuid organization, model::Uuid member);

// What is about to be given, and the place in the request that asks for it.
struct Grant {
  std::string pointer;
  identity::PermissionSet permissions;
};
// A Problem 403 that names each permission that the caller lacks, and its place: nobody grants those.
void check_grants(const Rights& caller, const std::vector<Grant>& grants);

// A Problem 403 that names each of the permissions that the caller lacks: nobody changes a role, or takes it from
// others, that holds what they lack themselves.
void check_holds(const Rights& caller, identity::PermissionSet permissions, std::string_view pointer);

// A role that somebody is to have.
struct RoleGrant {
  model::Uuid id;
  std::string name;
  Grant grant;
};
// The roles with these ids, each once, by their ids. A Problem 400 names those that the organization does not have.
awaitable<std::vector<RoleGrant>> find_roles(pg::Transaction& transaction, model::Uuid organization,
                                             std::vector<model::Uuid> ids);

// Tells who remembers what credentials are worth.
void announce(pg::Batch& batch, const events::AccessChanged& change);

}  // namespace parley::organizations::rights
