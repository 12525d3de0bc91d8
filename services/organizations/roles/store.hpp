#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "organizations/roles/shapes.hpp"

namespace parley::organizations::roles {

using boost::asio::awaitable;

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // A name that another role of the organization has, whatever the case of its letters, is a Problem 409.
  awaitable<model::Role> create(model::Uuid organization, NewRole role);

 private:
  pg::Pool& database_;
};

}  // namespace parley::organizations::roles
