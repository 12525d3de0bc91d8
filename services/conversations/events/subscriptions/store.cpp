#include "conversations/events/subscriptions/store.hpp"

#include "common/http/problem.hpp"
#include "common/removals/sql.hpp"
#include "conversations/events/subscriptions/signature.hpp"
#include "conversations/events/subscriptions/sql.hpp"

namespace parley::conversations::subscriptions {

namespace {

std::string test_body(const model::Uuid& webhook) {
  return "{\"type\":\"" + std::string(kTestType) + "\",\"timestamp\":" + model::to_json(model::Timestamp::now()) +
         ",\"data\":{\"webhookId\":" + model::to_json(webhook) + "}}";
}

}  // namespace

awaitable<std::vector<Webhook>> Store::list(model::Uuid organization) {
  const auto results = co_await database_.read(pg::Batch(sql::list, organization));
  co_return results.rows<Webhook>();
}

awaitable<std::optional<VersionedWebhook>> Store::find(model::Uuid organization, model::Uuid id) {
  const auto results = co_await database_.read(pg::Batch(sql::find, organization, id));
  co_return results.optional<VersionedWebhook>();
}

awaitable<std::optional<std::vector<Delivery>>> Store::deliveries(model::Uuid organization, model::Uuid webhook,
                                                                  DeliveriesFilter filter) {
  pg::Batch batch(sql::find, organization, webhook);
  batch.add(sql::deliveries[{.after = filter.after.has_value(), .by_state = filter.state.has_value()}], organization,
            webhook, filter.state, filter.after, filter.most);
  const auto results = co_await database_.read(std::move(batch));
  if (results.row_count(0) == 0) co_return std::nullopt;
  co_return results.rows<Delivery>(1);
}

awaitable<MadeResponse> Store::create(pg::Transaction& transaction, model::Uuid organization, model::Uuid member,
                                      CreateWebhook made) {
  co_await quotas_.require(transaction, organization, kQuota);
  const auto id = model::new_uuid();
  auto secret = new_secret();
  const auto sealed = keys_.seal(organization, field_of(id), secret);
  const auto results =
      co_await transaction.run(pg::Batch(sql::insert, organization, id, made.url, made.description.value_or(""),
                                         made.events, made.active.value_or(true), sealed, member));
  co_return MadeResponse{results.one<Webhook>(), std::move(secret)};
}

awaitable<std::optional<VersionedWebhook>> Store::lock(pg::Transaction& transaction, model::Uuid organization,
                                                       model::Uuid id) {
  const auto results = co_await transaction.run(pg::Batch(sql::lock, organization, id));
  co_return results.optional<VersionedWebhook>();
}

awaitable<std::optional<VersionedWebhook>> Store::lock_to_delete(pg::Transaction& transaction, model::Uuid organization,
                                                                 model::Uuid id) {
  const auto results = co_await transaction.run(pg::Batch(sql::lock_to_delete, organization, id));
  co_return results.optional<VersionedWebhook>();
}

awaitable<Webhook> Store::update(pg::Transaction& transaction, model::Uuid organization, Webhook webhook,
                                 std::optional<model::Uuid> member) {
  pg::Batch batch(sql::update, organization, webhook.uniqueId, webhook.url, webhook.description, webhook.events,
                  webhook.active, member);
  batch.add(sql::tell_health, organization, webhook.uniqueId);
  const auto results = co_await transaction.run(std::move(batch));
  co_return results.one<Webhook>();
}

awaitable<void> Store::remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  pg::Batch batch(sql::delete_webhook, organization, id);
  batch.add(removals::sql::begin, organization, "webhook", std::vector<model::Uuid>{id});
  co_await transaction.run(std::move(batch));
}

awaitable<RotatedResponse> Store::rotate(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  auto secret = new_secret();
  const auto sealed = keys_.seal(organization, field_of(id), secret);
  const auto results = co_await transaction.run(pg::Batch(sql::rotate, organization, id, sealed));
  co_return RotatedResponse{std::move(secret), results.one<model::Timestamp>()};
}

awaitable<Delivery> Store::test(pg::Transaction& transaction, model::Uuid organization, model::Uuid id) {
  using Ids = std::vector<model::Uuid>;
  const auto notice = model::new_uuid(), delivery = model::new_uuid();
  pg::Batch batch(sql::insert_notices, Ids{organization}, Ids{notice}, std::vector<std::string_view>{kTestType},
                  std::vector<std::optional<model::Uuid>>{std::nullopt}, std::vector<std::string>{test_body(id)});
  batch.add(sql::insert_deliveries, Ids{organization}, Ids{id}, Ids{delivery}, Ids{notice});
  batch.add(sql::find_delivery, organization, id, delivery);
  const auto results = co_await transaction.run(std::move(batch));
  co_return results.one<Delivery>(2);
}

awaitable<std::optional<Delivery>> Store::replay(pg::Transaction& transaction, model::Uuid organization,
                                                 model::Uuid webhook, model::Uuid id) {
  const auto found = co_await transaction.run(pg::Batch(sql::find_delivery, organization, webhook, id));
  const auto delivery = found.optional<Delivery>();
  if (!delivery) co_return std::nullopt;
  if (delivery->state == DeliveryState::Pending)
    throw http::Problem({.status = 409, .detail = "it is still being delivered"});
  pg::Batch batch(sql::replay, organization, webhook, id);
  batch.add(sql::find_delivery, organization, webhook, id);
  const auto results = co_await transaction.run(std::move(batch));
  co_return results.one<Delivery>(1);
}

}  // namespace parley::conversations::subscriptions
