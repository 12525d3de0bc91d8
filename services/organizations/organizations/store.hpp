#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "common/secrets/key_ring.hpp"
#include "organizations/organizations/quotas.hpp"
#include "organizations/organizations/shapes.hpp"
#include "organizations/rights/rights.hpp"

namespace parley::organizations::organizations {

using boost::asio::awaitable;

// The organization that a transaction changes, as it was before, its secrets masked, and what the caller may do.
struct Locked {
  rights::Rights caller;
  VersionedOrganization organization;
};

class Store {
 public:
  Store(pg::Pool& database, const secrets::KeyRing& keys, const Ownership* ownership = nullptr)
      : database_(database), keys_(keys), ownership_(ownership) {}

  // A page of the organizations that a person is a member of. Secrets are masked.
  awaitable<Page> list(model::Uuid person, Filter filter);

  awaitable<std::optional<VersionedOrganization>> find(model::Uuid organization, Secrets secrets);

  // Makes an organization, whose Owner is this person. `actor` tells where the request came from.
  awaitable<model::Organization> create(pg::Transaction& transaction, model::Uuid person, audit::Actor actor,
                                        NewOrganization made);

  // The caller's organization, unchanged by others until the transaction ends.
  awaitable<Locked> lock(pg::Transaction& transaction, rights::Caller caller, identity::Permission needed);
  awaitable<model::Organization> change(pg::Transaction& transaction, rights::Caller caller, Locked locked,
                                        UpdateOrganization change);
  // Ends it: nobody acts in it any more, and its rows are removed in the background. A Problem 403 for who is no Owner.
  awaitable<void> remove(pg::Transaction& transaction, rights::Caller caller, Locked locked);

 private:
  pg::Pool& database_;
  const secrets::KeyRing& keys_;
  const Ownership* const ownership_;
};

}  // namespace parley::organizations::organizations
