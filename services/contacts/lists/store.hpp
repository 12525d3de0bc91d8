#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "contacts/lists/shapes.hpp"

namespace parley::contacts::lists {

using boost::asio::awaitable;

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // Makes a list with its tags and members in one transaction. Contacts that do not exist are a Problem 400 that names
  // them, and nothing is done.
  awaitable<model::List> create(model::Uuid organization, NewList list);

 private:
  awaitable<std::vector<model::Uuid>> resolve_tags(pg::Transaction& transaction, model::Uuid organization,
                                                   const std::vector<std::string>& tags);
  awaitable<void> name_missing(model::Uuid organization, const std::vector<model::Uuid>& contact_ids);
  pg::Pool& database_;
};

}  // namespace parley::contacts::lists
