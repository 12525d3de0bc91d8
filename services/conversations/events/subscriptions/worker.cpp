#include "conversations/events/subscriptions/worker.hpp"

#include "common/removals/organizations.hpp"
#include "conversations/events/subscriptions/fan_out.hpp"

namespace parley::conversations::subscriptions {

Worker::Worker(chassis::Process& process, pg::Pool& database, chassis::EventFeed& feed,
               std::shared_ptr<const secrets::KeyRing> keys, DeliverySettings settings, AskMembers ask)
    : process_(process),
      keys_(std::move(keys)),
      consumer_(process, database, feed.feed(), std::string(kFeedConsumer), fan_out, removals::forget_nothing),
      deliverer_(process, database, *keys_, std::move(settings)),
      authorization_(process, database, std::move(ask)) {}

void Worker::start() {
  consumer_.start();
  process_.spawn("webhooks", deliverer_.run());
  process_.spawn("webhooks' members", authorization_.run());
}

awaitable<void> Worker::stop() {
  consumer_.stop();
  co_await authorization_.stop();
  co_await deliverer_.stop();
}

}  // namespace parley::conversations::subscriptions
