#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "contacts/audience/shapes.hpp"

namespace parley::contacts::audience {

using boost::asio::awaitable;

struct Page {
  std::vector<RecipientRow> people;  // sorted by id; may be empty although more pages follow
  std::optional<model::Uuid> next;   // where the next page begins; nullopt on the last page
};

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // Returns members of the lists behind `after` that are in no excluded list: about `limit` members, at most about 1
  // MiB. Walking all pages returns each contact that stays a member exactly once.
  awaitable<Page> page(AudienceQuestion asked);
  // Only contacts that exist, sorted by id.
  awaitable<std::vector<RecipientRow>> people(model::Uuid organization, std::vector<model::Uuid> ids,
                                              std::vector<std::string> variables);

 private:
  pg::Pool& database_;
};

}  // namespace parley::contacts::audience
