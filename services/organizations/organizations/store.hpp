#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "common/secrets/key_ring.hpp"
#include "organizations/authorization/authorization.hpp"
#include "organizations/organizations/quotas.hpp"
#include "organizations/organizations/shapes.hpp"

namespace parley::organizations::organizations {

using boost::asio::awaitable;

// A locked organization in its state before the change, secrets masked, and the caller's present rights.
struct Locked {
  authorization::Rights caller;
  VersionedOrganization organization;
};

class Store {
 public:
  Store(pg::Pool& database, const secrets::KeyRing& keys, const Ownership* ownership = nullptr)
      : database_(database), keys_(keys), ownership_(ownership) {}

  // A page of a person's organizations; secrets are masked.
  awaitable<Page> list(model::Uuid person, Filter filter);

  awaitable<std::optional<VersionedOrganization>> find(model::Uuid organization, Secrets secrets);

  // Creates an organization owned by the person. `actor` gives the origin of the request.
  awaitable<model::Organization> create(pg::Transaction& transaction, model::Uuid person, audit::Actor actor,
                                        NewOrganization made);

  // Locks the caller's organization until the transaction ends.
  awaitable<Locked> lock(pg::Transaction& transaction, authorization::Caller caller, identity::Permission needed);
  awaitable<model::Organization> change(pg::Transaction& transaction, authorization::Caller caller, Locked locked,
                                        UpdateOrganization change);
  // Ends all access; rows are removed in the background. Throws a Problem 403 unless the caller is an Owner.
  awaitable<void> remove(pg::Transaction& transaction, authorization::Caller caller, Locked locked);

 private:
  pg::Pool& database_;
  const secrets::KeyRing& keys_;
  const Ownership* const ownership_;
};

}  // namespace parley::organizations::organizations
