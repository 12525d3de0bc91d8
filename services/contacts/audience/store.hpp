#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/http/admission.hpp"
#include "common/pg/pool.hpp"
#include "contacts/audience/shapes.hpp"
#include "contacts/segments/room.hpp"

namespace parley::contacts::audience {

using boost::asio::awaitable;

struct Page {
  std::vector<RecipientRow> people;  // sorted by id; may be empty although more pages follow
  std::optional<model::Uuid> next;   // where the next page begins; nullopt on the last page
};

class Store {
 public:
  // `room` is shared with others that evaluate filters; without one the store has its own.
  explicit Store(pg::Pool& database, std::shared_ptr<segments::Room> room = nullptr);

  // Returns members of the lists and segments behind `after` that are in no excluded list: about `limit` members, at
  // most about 1 MiB. Walking all pages returns each contact that stays a member exactly once.
  awaitable<Page> page(AudienceQuestion asked);
  // Only contacts that exist, sorted by id.
  awaitable<std::vector<RecipientRow>> people(model::Uuid organization, std::vector<model::Uuid> ids,
                                              std::vector<std::string> variables);
  // Counts the members that page() gives, in one snapshot. At most 6 s of the server's time, and two counts at once:
  // organizations wait in turn, for 2 s at most, and then get a Problem 503.
  awaitable<AudienceCount> count(AudienceCountQuestion asked);

 private:
  pg::Pool& database_;
  const std::shared_ptr<http::Admission> counts_;
  const std::shared_ptr<segments::Room> room_;
};

}  // namespace parley::contacts::audience
