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

  // A page with the tags of its lists, of one snapshot, and the true total of what its filters let through.
  awaitable<Page> list(model::Uuid organization, Filter filter);
  awaitable<std::optional<VersionedList>> find(model::Uuid organization, model::Uuid id);
  // Those of these that exist.
  awaitable<std::vector<model::Uuid>> known(model::Uuid organization, std::vector<model::Uuid> ids);

  // ---- in the caller's transaction ----

  // Makes a list with its tags and members. Contacts that do not exist are a Problem 400 that names them.
  awaitable<model::List> create(pg::Transaction& transaction, model::Uuid organization, NewList list);

  // Keeps others from changing the list, or from using it at all, until the transaction ends.
  awaitable<std::optional<VersionedList>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  awaitable<std::optional<VersionedList>> lock_to_delete(pg::Transaction& transaction, model::Uuid organization,
                                                         model::Uuid id);
  // These want it locked.
  awaitable<model::List> update(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                                UpdateList changes);
  // Members are a set: adding one twice, or removing what is none, changes nothing. Contacts that do not exist are a
  // Problem 400 that names them.
  awaitable<model::List> change_members(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                                        MemberChanges changes);
  // For who named contacts before: those that do not exist any more are passed over. How many do.
  awaitable<std::int64_t> add_members(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                                      std::vector<model::Uuid> contacts);
  // Its contacts stay. Its memberships, of which there may be a million, are removed in the background.
  awaitable<void> remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

 private:
  pg::Pool& database_;
  redis::CountCache& counts_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::contacts::lists
