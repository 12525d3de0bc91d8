#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/chassis/quotas.hpp"
#include "common/pg/pool.hpp"
#include "common/secrets/key_ring.hpp"
#include "conversations/events/subscriptions/shapes.hpp"

namespace parley::conversations::subscriptions {

using boost::asio::awaitable;

class Store {
 public:
  Store(pg::Pool& database, const secrets::KeyRing& keys, const chassis::Quotas& quotas = chassis::Quotas::none())
      : database_(database), keys_(keys), quotas_(quotas) {}

  // In the order of creation.
  awaitable<std::vector<Webhook>> list(model::Uuid organization);
  awaitable<std::optional<VersionedWebhook>> find(model::Uuid organization, model::Uuid id);
  // Newest first; nullopt: no such webhook.
  awaitable<std::optional<std::vector<Delivery>>> deliveries(model::Uuid organization, model::Uuid webhook,
                                                             DeliveriesFilter filter);

  // ---- in the caller's transaction ----

  // Returns the webhook and its secret; `member` is answerable for it. Throws Problem 403 beyond the quota.
  awaitable<MadeResponse> create(pg::Transaction& transaction, model::Uuid organization, model::Uuid member,
                                 CreateWebhook made);
  // Locks it until the transaction ends.
  awaitable<std::optional<VersionedWebhook>> lock(pg::Transaction& transaction, model::Uuid organization,
                                                  model::Uuid id);
  awaitable<std::optional<VersionedWebhook>> lock_to_delete(pg::Transaction& transaction, model::Uuid organization,
                                                            model::Uuid id);
  // The following need the lock. Pending deliveries of a removed or inactive webhook are dropped. nullopt: no change.
  awaitable<Webhook> update(pg::Transaction& transaction, model::Uuid organization, Webhook webhook,
                            std::optional<model::Uuid> member);
  awaitable<void> remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  awaitable<RotatedResponse> rotate(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  // Queues a `webhook.test`, even if inactive.
  awaitable<Delivery> test(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  // Queues a finished delivery again. nullopt: no such delivery. Throws Problem 409 if it is Pending.
  awaitable<std::optional<Delivery>> replay(pg::Transaction& transaction, model::Uuid organization, model::Uuid webhook,
                                            model::Uuid id);

 private:
  pg::Pool& database_;
  const secrets::KeyRing& keys_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::conversations::subscriptions
