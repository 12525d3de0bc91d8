#pragma once
// Events in a process: their routes, metrics, logs and background work.
#include <initializer_list>
#include <string>
#include <string_view>

#include "common/chassis/peer.hpp"
#include "common/chassis/process.hpp"
#include "common/events/consumer.hpp"
#include "common/events/feed.hpp"

namespace parley::chassis {

// What this service tells, at GET /internal/events.
class EventFeed {
 public:
  // `consumers` are services that keep a cursor: events wait for them. `followers` may read too. Both have static
  // storage.
  EventFeed(Process& process, pg::Pool& database, std::initializer_list<std::string_view> consumers,
            std::initializer_list<std::string_view> followers = {});

  void start() { process_.spawn("event feed", feed_.run()); }
  void stop() { feed_.stop(); }
  // To be called after each commit that appended to the outbox.
  void kick() { feed_.kick(); }

 private:
  void show();
  Process& process_;
  events::Feed feed_;
};

// What another service tells, applied here.
class EventConsumer {
 public:
  // `apply` and `forget` as in events::ConsumerWork. This service's name is the consumer's.
  EventConsumer(Process& process, pg::Pool& database, std::string producer, const std::string& url,
                decltype(events::ConsumerWork::apply) apply, decltype(events::ConsumerWork::forget) forget);

  void start() { process_.spawn("event consumer", consumer_.run()); }
  void stop() { consumer_.stop(); }

 private:
  void show(const std::string& producer);
  Process& process_;
  Peer peer_;
  Scope scope_;
  events::Consumer consumer_;
};

}  // namespace parley::chassis
