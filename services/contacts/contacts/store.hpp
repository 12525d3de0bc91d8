#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "common/redis/count_cache.hpp"
#include "contacts/contacts/shapes.hpp"

namespace parley::contacts::contacts {

using boost::asio::awaitable;

struct Page {
  std::vector<PageContact> contacts;  // without their conversations
  std::int64_t total = 0;
};

class Store {
 public:
  Store(pg::Pool& database, redis::CountCache& counts) : database_(database), counts_(counts) {}

  // A page with the lists and tags of its contacts, of one snapshot, and the true total of what its filters let
  // through.
  awaitable<Page> list(model::Uuid organization, Filter filter);

  // Sends the questions for one contact; its answer is awaited with found().
  pg::Pending start_find(const model::Uuid& organization, const model::Uuid& id);
  awaitable<std::optional<model::Contact>> found(pg::Pending asked);

  // What other contexts embed: those of the ids that exist.
  awaitable<ContactParts> parts(model::Uuid organization, std::vector<model::Uuid> contact_ids,
                                std::vector<model::Uuid> tag_ids);

 private:
  awaitable<std::int64_t> filtered_total(model::Uuid organization, const Filter& filter,
                                         redis::CountCache::Lookup lookup, std::int64_t version);
  pg::Pool& database_;
  redis::CountCache& counts_;
};

}  // namespace parley::contacts::contacts
