#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/model/json.hpp"
#include "common/model/page.hpp"
#include "common/model/versioned.hpp"

namespace parley::conversations::subscriptions {

inline constexpr std::string_view kQuota = "webhooks";  // see chassis/quotas.hpp

// Why a webhook was disabled: constant failure, or its answerable member lost a permission.
enum class DisabledReason { Failing, Permission };
BOOST_DESCRIBE_ENUM(DisabledReason, Failing, Permission)

// The type of a test delivery, which cannot be subscribed to.
inline constexpr std::string_view kTestType = "webhook.test";

struct Webhook {
  model::Uuid uniqueId;
  std::string url;
  std::string description;
  std::vector<std::string> events;  // of public_events::kWebhookTypes
  bool active = true;
  model::Timestamp createdAt;
  std::optional<model::Timestamp> failingSince;
  std::optional<model::Timestamp> disabledAt;
  std::optional<DisabledReason> disabledReason;
  std::optional<model::Uuid> answerableMemberId;  // last set the URL or the events
  std::optional<model::Timestamp> previousSecretValidUntil;
};
BOOST_DESCRIBE_STRUCT(Webhook, (),
                      (uniqueId, url, description, events, active, createdAt, failingSince, disabledAt, disabledReason,
                       answerableMemberId, previousSecretValidUntil))

using VersionedWebhook = model::Versioned<Webhook>;

// POST /api/webhooks
struct CreateWebhook {
  std::string url;
  model::Nullable<std::string> description;
  std::vector<std::string> events;
  model::Nullable<bool> active;
};
BOOST_DESCRIBE_STRUCT(CreateWebhook, (), (url, description, events, active))

// POST /api/webhooks/{id}; missing members stay unchanged.
struct UpdateWebhook {
  model::Nullable<std::string> url, description;
  model::Nullable<std::vector<std::string>> events;
  model::Nullable<bool> active;
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

// A secret is shown only when it is created or rotated.
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

// What the audit keeps of a webhook, with its origin.
struct Audited {
  std::vector<std::string> events;
  bool active = true;
};
BOOST_DESCRIBE_STRUCT(Audited, (), (events, active))

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
  std::optional<std::string> payload;         // the first 8,192 characters; null once its contact was deleted
  std::optional<std::int64_t> payloadOctets;  // of the whole
  // The last attempt:
  std::optional<std::int64_t> durationMs;
  std::optional<std::int64_t> responseStatus;
  std::string responseBody;
  std::string error;
};
BOOST_DESCRIBE_STRUCT(Delivery, (),
                      (uniqueId, webhookId, eventId, eventType, state, attempts, createdAt, lastAttemptAt,
                       nextAttemptAt, payload, payloadOctets, durationMs, responseStatus, responseBody, error))

struct DeliveryResponse {
  Delivery delivery;
};
BOOST_DESCRIBE_STRUCT(DeliveryResponse, (), (delivery))

struct DeliveriesResponse {
  std::vector<Delivery> deliveries;
  model::CursorMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(DeliveriesResponse, (), (deliveries, paginationMeta))

// GET /api/webhooks/{id}/deliveries
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
