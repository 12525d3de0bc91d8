#pragma once
#include <memory>

#include "common/chassis/events.hpp"
#include "conversations/events/subscriptions/deliverer.hpp"
#include "conversations/events/subscriptions/rights.hpp"

namespace parley::conversations::subscriptions {

// Whose place in the service's own feed is the webhooks': the feed keeps events for it.
inline constexpr std::string_view kFeedConsumer = "webhooks";

// All that webhooks need beside the requests: reads the service's own feed, delivers, and watches
// whether members may still see what theirs tell.
class Worker {
 public:
  Worker(chassis::Process& process, pg::Pool& database, chassis::EventFeed& feed,
         std::shared_ptr<const secrets::KeyRing> keys, DeliverySettings settings, AskMembers ask);

  void start();
  // Waits for the attempts under way, 15 seconds at most.
  awaitable<void> stop();

 private:
  chassis::Process& process_;
  std::shared_ptr<const secrets::KeyRing> keys_;
  chassis::EventConsumer consumer_;
  Deliverer deliverer_;
  RightsWatch rights_;
};

}  // namespace parley::conversations::subscriptions
