#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/chassis/quotas.hpp"
#include "common/pg/pool.hpp"
#include "conversations/campaigns/quick_replies/shapes.hpp"

namespace parley::conversations::quick_replies {

using boost::asio::awaitable;

struct Page {
  std::vector<QuickReply> replies;
  std::int64_t total = 0;
};

class Store {
 public:
  explicit Store(pg::Pool& database, const chassis::Quotas& quotas = chassis::Quotas::none())
      : database_(database), quotas_(quotas) {}

  awaitable<Page> list(model::Uuid organization, Filter filter);
  awaitable<std::optional<VersionedReply>> find(model::Uuid organization, model::Uuid id);

  // ---- in the caller's transaction ----

  // Throws Problem 403 beyond the quota, 409 if another has the shortcut.
  awaitable<QuickReply> create(pg::Transaction& transaction, model::Uuid organization, QuickReply made);
  // Locks it until the transaction ends.
  awaitable<std::optional<VersionedReply>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  // The following need the lock.
  awaitable<QuickReply> update(pg::Transaction& transaction, model::Uuid organization, QuickReply reply);
  awaitable<void> remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

 private:
  pg::Pool& database_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::conversations::quick_replies
