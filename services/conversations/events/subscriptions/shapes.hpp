#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/model/json.hpp"
#include "common/model/versioned.hpp"

namespace parley::conversations::subscriptions {

inline constexpr std::string_view kQuota = "webhooks";  // see chassis/quotas.hpp

// Why nobody calls it any more: it failed for too long, or the member who answers for it may not see what it tells.
enum class DisabledReason { Failing, Permission };
BOOST_DESCRIBE_ENUM(DisabledReason, Failing, Permission)

// What a test delivery is; nobody can ask for it.
inline constexpr std::string_view kTestType = "webhook.test";

struct Webhook {
  model::Uuid uniqueId;
  std::string url;
  std::string description;
  std::vector<std::string> events;  // of public_events::kTypes
  bool active = true;
  model::Timestamp createdAt;
  std::optional<model::Timestamp> failingSince;
  std::optional<model::Timestamp> disabledAt;
  std::optional<DisabledReason> disabledReason;
  std::optional<model::Uuid> answerableMemberId;  // who said last where it leads and what it hears
  std::optional<model::Timestamp> previousSecretValidUntil;
};
BOOST_DESCRIBE_STRUCT(Webhook, (),
                      (uniqueId, url, description, events, active, createdAt, failingSince, disabledAt, disabledReason,
                       answerableMemberId, previousSecretValidUntil))

using VersionedWebhook = model::Versioned<Webhook>;

// The body of POST /api/webhooks.
struct CreateWebhook {
  std::string url;
  std::optional<std::string> description;
  std::vector<std::string> events;
  std::optional<bool> active;
};
BOOST_DESCRIBE_STRUCT(CreateWebhook, (), (url, description, events, active))

// The body of POST /api/webhooks/{id}. What is left out stays as it is.
struct UpdateWebhook {
  std::optional<std::string> url, description;
  std::optional<std::vector<std::string>> events;
  std::optional<bool> active;
};
BOOST_DESCRIBE_STRUCT(UpdateWebhook, (), (url, description, events, active))

struct WebhookResponse {
  Webhook webhook;
};
BOOST_DESCRIBE_STRUCT(WebhookResponse, (), (webhook))

struct WebhooksResponse {
  std::vector<Webhook> webhooks;
};
BOOST_DESCRIBE_STRUCT(WebhooksResponse, (), (webhooks))

// The one answer that holds a webhook's first secret, and that which holds a later one.
struct MadeResponse {
  Webhook webhook;
  std::string secret;
};
BOOST_DESCRIBE_STRUCT(MadeResponse, (), (webhook, secret))

struct RotatedResponse {
  std::string secret;
  model::Timestamp previousSecretValidUntil;
};
BOOST_DESCRIBE_STRUCT(RotatedResponse, (), (secret, previousSecretValidUntil))

enum class DeliveryState { Pending, Delivered, Failed };
BOOST_DESCRIBE_ENUM(DeliveryState, Pending, Delivered, Failed)

struct Delivery {
  model::Uuid uniqueId;
  model::Uuid webhookId;
  model::Uuid eventId;  // the header webhook-id
  std::string eventType;
  DeliveryState state = DeliveryState::Pending;
  std::int64_t attempts = 0;
  model::Timestamp createdAt;
  std::optional<model::Timestamp> lastAttemptAt;
  std::optional<model::Timestamp> nextAttemptAt;
  // Of the last attempt:
  std::optional<std::int64_t> durationMs;
  std::optional<std::int64_t> responseStatus;
  std::string responseBody;
  std::string error;
};
BOOST_DESCRIBE_STRUCT(Delivery, (),
                      (uniqueId, webhookId, eventId, eventType, state, attempts, createdAt, lastAttemptAt,
                       nextAttemptAt, durationMs, responseStatus, responseBody, error))

struct DeliveryResponse {
  Delivery delivery;
};
BOOST_DESCRIBE_STRUCT(DeliveryResponse, (), (delivery))

struct DeliveriesResponse {
  std::vector<Delivery> deliveries;
};
BOOST_DESCRIBE_STRUCT(DeliveriesResponse, (), (deliveries))

// The parameters of GET /api/webhooks/{id}/deliveries.
struct DeliveriesQuery {
  std::optional<DeliveryState> state;
  std::optional<std::int64_t> per_page, limit;
  std::optional<std::string> cursor;
};
BOOST_DESCRIBE_STRUCT(DeliveriesQuery, (), (state, per_page, limit, cursor))

struct DeliveriesFilter {
  std::optional<DeliveryState> state;
  std::int64_t most = 20;
  std::optional<model::Uuid> after;
};

}  // namespace parley::conversations::subscriptions
