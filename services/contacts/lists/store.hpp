#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "common/redis/count_cache.hpp"
#include "contacts/lists/shapes.hpp"
#include "contacts/quotas.hpp"

namespace parley::contacts::lists {

using boost::asio::awaitable;

struct Page {
  std::vector<model::List> lists;
  std::int64_t total = 0;
};

class Store {
 public:
  Store(pg::Pool& database, redis::CountCache& counts, const chassis::Quotas& quotas = chassis::Quotas::none())
      : database_(database), counts_(counts), quotas_(quotas) {}

  // A page from one snapshot, and the exact total of its filters.
  awaitable<Page> list(model::Uuid organization, Filter filter);
  awaitable<std::optional<VersionedList>> find(model::Uuid organization, model::Uuid id);
  // The ids that exist.
  awaitable<std::vector<model::Uuid>> known(model::Uuid organization, std::vector<model::Uuid> ids);

  // ---- in the caller's transaction ----

  // Throws a Problem 400 that names contacts which do not exist.
  awaitable<model::List> create(pg::Transaction& transaction, model::Uuid organization, NewList list);

  // Lock the list against changes, or against any use, until the transaction ends.
  awaitable<std::optional<VersionedList>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  awaitable<std::optional<VersionedList>> lock_to_delete(pg::Transaction& transaction, model::Uuid organization,
                                                         model::Uuid id);
  // Require the list to be locked.
  awaitable<model::List> update(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                                UpdateList changes);
  // Repeated additions and removals change nothing. Throws a Problem 400 that names contacts which do not exist.
  awaitable<model::List> change_members(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                                        MemberChanges changes);
  // Skips contacts that have been deleted or have no room for a list. Returns how many of the others there are.
  awaitable<std::int64_t> add_members(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                                      std::vector<model::Uuid> contacts);
  // Keeps the contacts. The memberships, up to a million, are removed in the background.
  awaitable<void> remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

 private:
  pg::Pool& database_;
  redis::CountCache& counts_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::contacts::lists
