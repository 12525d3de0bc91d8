#pragma once
#include <memory>

#include "common/chassis/events.hpp"
#include "conversations/events/subscriptions/authorization.hpp"
#include "conversations/events/subscriptions/deliverer.hpp"

namespace parley::conversations::subscriptions {

// The consumer name of webhooks in the service's own feed, which keeps events for it.
inline constexpr std::string_view kFeedConsumer = "webhooks";

class Worker {
 public:
  Worker(chassis::Process& process, pg::Pool& database, chassis::EventFeed& feed,
         std::shared_ptr<const secrets::KeyRing> keys, DeliverySettings settings, AskMembers ask);

  void start();
  // Waits at most 15 seconds for the attempts in flight.
  awaitable<void> stop();

 private:
  chassis::Process& process_;
  std::shared_ptr<const secrets::KeyRing> keys_;
  chassis::EventConsumer consumer_;
  Deliverer deliverer_;
  AuthorizationWatch authorization_;
};

}  // namespace parley::conversations::subscriptions
