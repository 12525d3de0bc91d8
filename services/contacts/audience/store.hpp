#pragma once
// Contacts as campaigns see them: whom a message is for, and what it may say of them.
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "contacts/audience/shapes.hpp"

namespace parley::contacts::audience {

using boost::asio::awaitable;

struct Page {
  std::vector<RecipientRow> people;  // in the order of their ids; may be none though there are more
  std::optional<model::Uuid> next;   // where the next page begins; none: this is the last one
};

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // The contacts behind `after` that are in one of the lists and in no excluded one, about `limit` of those that are in
  // the lists and a megabyte. Asked page by page this gives everybody who was there all the time, once.
  awaitable<Page> page(AudienceQuestion asked);
  // Those that exist, in the order of their ids.
  awaitable<std::vector<RecipientRow>> people(model::Uuid organization, std::vector<model::Uuid> ids,
                                              std::vector<std::string> variables);

 private:
  pg::Pool& database_;
};

}  // namespace parley::contacts::audience
