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

  // All of an organization, in the order of creation.
  awaitable<std::vector<Webhook>> list(model::Uuid organization);
  awaitable<std::optional<VersionedWebhook>> find(model::Uuid organization, model::Uuid id);
  // The newest first; nullopt: there is no such webhook.
  awaitable<std::optional<std::vector<Delivery>>> deliveries(model::Uuid organization, model::Uuid webhook,
                                                             DeliveriesFilter filter);

  // ---- in the caller's transaction ----

  // The webhook and its secret; `member` answers for it. One beyond the quota is a Problem 403.
  awaitable<MadeResponse> create(pg::Transaction& transaction, model::Uuid organization, model::Uuid member,
                                 CreateWebhook made);
  // Keeps others from changing it until the transaction ends.
  awaitable<std::optional<VersionedWebhook>> lock(pg::Transaction& transaction, model::Uuid organization,
                                                  model::Uuid id);
  awaitable<std::optional<VersionedWebhook>> lock_to_delete(pg::Transaction& transaction, model::Uuid organization,
                                                            model::Uuid id);
  // These want it locked. What is still to be delivered to one that is removed or inactive is not.
  // `member` answers for it from now on; nullopt: who did so before.
  awaitable<Webhook> update(pg::Transaction& transaction, model::Uuid organization, Webhook webhook,
                            std::optional<model::Uuid> member);
  awaitable<void> remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  awaitable<RotatedResponse> rotate(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  // Posts a `webhook.test` to it, active or not.
  awaitable<Delivery> test(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  // Posts again what was delivered or has failed. nullopt: there is no such delivery. One that is still Pending is a
  // Problem 409.
  awaitable<std::optional<Delivery>> replay(pg::Transaction& transaction, model::Uuid organization, model::Uuid webhook,
                                            model::Uuid id);

 private:
  pg::Pool& database_;
  const secrets::KeyRing& keys_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::conversations::subscriptions
