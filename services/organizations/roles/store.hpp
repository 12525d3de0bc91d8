#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "organizations/authorization/authorization.hpp"
#include "organizations/organizations/quotas.hpp"
#include "organizations/roles/shapes.hpp"

namespace parley::organizations::roles {

using boost::asio::awaitable;

// A locked role in its state before the change, and the caller's present rights.
struct Locked {
  authorization::Rights caller;
  VersionedRole role;
  identity::PermissionSet permissions;
};

class Store {
 public:
  explicit Store(pg::Pool& database, const chassis::Quotas& quotas = chassis::Quotas::none())
      : database_(database), quotas_(quotas) {}

  awaitable<Page> list(model::Uuid organization, Filter filter);
  awaitable<std::optional<VersionedRole>> find(model::Uuid organization, model::Uuid id);

  // create() and change() throw a Problem 403 for added permissions that the caller lacks, and 409 for a taken name.
  awaitable<model::Role> create(pg::Transaction& transaction, authorization::Caller caller, NewRole role);

  // Locks the role until the transaction ends; nullopt if it does not exist.
  awaitable<std::optional<Locked>> lock(pg::Transaction& transaction, authorization::Caller caller, model::Uuid id,
                                        std::optional<identity::Permission> needed);
  // Throws a Problem 403 unless the caller holds all the role's present permissions.
  awaitable<model::Role> change(pg::Transaction& transaction, authorization::Caller caller, Locked locked,
                                RoleChange change);
  // Also removes it from all members. Throws a Problem 403 as change().
  awaitable<void> remove(pg::Transaction& transaction, authorization::Caller caller, Locked locked);

 private:
  pg::Pool& database_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::organizations::roles
