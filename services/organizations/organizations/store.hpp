#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "organizations/organizations/shapes.hpp"
#include "organizations/secrets/key_ring.hpp"

namespace parley::organizations::organizations {

using boost::asio::awaitable;

class Store {
 public:
  Store(pg::Pool& database, const secrets::KeyRing& keys) : database_(database), keys_(keys) {}

  // A page of the organizations of the person who is this member, by their creation. Secrets are masked.
  awaitable<Page> list(model::Uuid organization, model::Uuid member, http::Paging paging, bool descending);

  // Makes another organization, whose Owner is the person who is this member.
  awaitable<model::Organization> create(model::Uuid organization, model::Uuid member, NewOrganization made);

 private:
  pg::Pool& database_;
  const secrets::KeyRing& keys_;
};

}  // namespace parley::organizations::organizations
