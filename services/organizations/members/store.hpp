#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/identity/api_key.hpp"
#include "common/pg/pool.hpp"
#include "organizations/authorization/authorization.hpp"
#include "organizations/members/shapes.hpp"
#include "organizations/organizations/quotas.hpp"

namespace parley::organizations::members {

using boost::asio::awaitable;

// A locked member in its state before the change, and the caller's present rights.
struct Locked {
  authorization::Rights caller;
  VersionedMember member;
};

class Store {
 public:
  explicit Store(pg::Pool& database, const organizations::Ownership* ownership = nullptr)
      : database_(database), ownership_(ownership) {}

  awaitable<Page> list(model::Uuid organization, Filter filter);
  awaitable<std::optional<VersionedMember>> find(model::Uuid organization, model::Uuid id);
  // Members with their roles, sorted by id, up to about 1 MiB, at least one. Skips ids that are no members.
  awaitable<roles::Shown<PageMember>> summaries(model::Uuid organization, std::vector<model::Uuid> ids);

  // Locks the member until the transaction ends; nullopt if it does not exist.
  awaitable<std::optional<Locked>> lock(pg::Transaction& transaction, authorization::Caller caller, model::Uuid id,
                                        std::optional<identity::Permission> needed);
  // Throws a Problem 400 for unknown roles; 403 for a member or a new level above the caller's, and for added or
  // removed roles with permissions that the caller lacks; 409 for demoting the last Owner.
  awaitable<model::OrganizationMember> change(pg::Transaction& transaction, authorization::Caller caller, Locked locked,
                                              UpdateMember change);
  // Removes the member and its keys. Throws a Problem 403 for a member above the caller, 409 for the last Owner.
  awaitable<void> remove(pg::Transaction& transaction, authorization::Caller caller, Locked locked);

  // Creates an organization and its Owner with a key, and a token if there is no password. Takes over an unproved
  // account with the address, see users::hold(). If the person owns one of this name, returns that, without a key.
  awaitable<Enrolled> create_owner(NewMember owner, std::string organization_name);

  // Adds a member likewise. Throws a Problem 404 for an unknown organization, 409 for a member, 400 for unknown roles.
  awaitable<Enrolled> add(model::Uuid organization, NewMember member);

 private:
  awaitable<std::vector<model::Uuid>> find_roles(pg::Transaction& transaction, model::Uuid organization,
                                                 const std::vector<std::string>& names);
  pg::Pool& database_;
  const organizations::Ownership* const ownership_;
};

}  // namespace parley::organizations::members
