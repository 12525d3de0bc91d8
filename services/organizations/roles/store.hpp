#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "organizations/organizations/quotas.hpp"
#include "organizations/rights/rights.hpp"
#include "organizations/roles/shapes.hpp"

namespace parley::organizations::roles {

using boost::asio::awaitable;

// A role that a transaction changes, as it was before, and what the caller may do.
struct Locked {
  rights::Rights caller;
  VersionedRole role;
  identity::PermissionSet permissions;
};

class Store {
 public:
  explicit Store(pg::Pool& database, const chassis::Quotas& quotas = chassis::Quotas::none())
      : database_(database), quotas_(quotas) {}

  awaitable<Page> list(model::Uuid organization, Filter filter);
  awaitable<std::optional<VersionedRole>> find(model::Uuid organization, model::Uuid id);

  // Problems of create() and change(): 403 for permissions given that the caller lacks, 409 for a name that another
  // role of the organization has, whatever the case of its letters.
  awaitable<model::Role> create(pg::Transaction& transaction, rights::Caller caller, NewRole role);

  // The role, unchanged by others until the transaction ends; nothing if there is none.
  awaitable<std::optional<Locked>> lock(pg::Transaction& transaction, rights::Caller caller, model::Uuid id,
                                        std::optional<identity::Permission> needed);
  // What a role has already is not given anew: who lacks it may still change the rest.
  awaitable<model::Role> change(pg::Transaction& transaction, rights::Caller caller, Locked locked, RoleChange change);
  // Takes it from all who have it, too.
  awaitable<void> remove(pg::Transaction& transaction, rights::Caller caller, Locked locked);

 private:
  pg::Pool& database_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::organizations::roles
