#pragma once
// Events of conversations about the webhooks that organizations subscribe.
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <optional>
#include <string>

#include "common/model/timestamp.hpp"
#include "common/model/uuid.hpp"

namespace parley::events {

enum class WebhookState { Healthy, Failing, Disabled };
BOOST_DESCRIBE_ENUM(WebhookState, Healthy, Failing, Disabled)

// Made by a statement: see tell_health of subscriptions.
struct WebhookHealthChanged {
  static constexpr std::string_view type = "webhook.health";
  model::Uuid organizationId, webhookId;
  WebhookState state = WebhookState::Healthy;
  std::optional<model::Timestamp> failingSince;
  std::optional<std::string> disabledReason;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(WebhookHealthChanged, (), (organizationId, webhookId, state, failingSince, disabledReason, at))

}  // namespace parley::events
