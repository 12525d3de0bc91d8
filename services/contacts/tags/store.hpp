#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "common/redis/count_cache.hpp"
#include "contacts/quotas.hpp"
#include "contacts/tags/shapes.hpp"

namespace parley::contacts::tags {

using boost::asio::awaitable;

struct Page {
  std::vector<model::Tag> tags;
  std::int64_t total = 0;
};

// Labels are unique per organization, ignoring case: a duplicate throws a Problem 409 that names the existing tag.
class Store {
 public:
  Store(pg::Pool& database, redis::CountCache& counts, const chassis::Quotas& quotas = chassis::Quotas::none())
      : database_(database), counts_(counts), quotas_(quotas) {}

  // A page and the exact total of its search.
  awaitable<Page> list(model::Uuid organization, Filter filter);
  awaitable<std::optional<VersionedTag>> find(model::Uuid organization, model::Uuid id);

  // ---- in the caller's transaction ----

  awaitable<model::Tag> create(pg::Transaction& transaction, model::Uuid organization, std::string label);

  // Returns the tags of these names without duplicates; creates missing labels.
  awaitable<std::vector<model::Tag>> resolve(pg::Transaction& transaction, model::Uuid organization,
                                             std::vector<std::string> names);

  // Lock the tag against changes, or against any use, until the transaction ends.
  awaitable<std::optional<VersionedTag>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  awaitable<std::optional<VersionedTag>> lock_to_delete(pg::Transaction& transaction, model::Uuid organization,
                                                        model::Uuid id);
  // Require the tag to be locked.
  awaitable<model::Tag> rename(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                               std::string label);
  // Keeps the contacts, lists and conversations that have the tag.
  awaitable<void> remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

 private:
  pg::Pool& database_;
  redis::CountCache& counts_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::contacts::tags
