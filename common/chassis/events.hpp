#pragma once
// Events in a process: their routes, metrics, logs and background work.
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "common/chassis/process.hpp"
#include "common/chassis/service_client.hpp"
#include "common/events/consumer.hpp"
#include "common/events/feed.hpp"
#include "common/events/snapshots.hpp"

namespace parley::chassis {

// Serves this service's events at GET /internal/events.
class EventFeed {
 public:
  // `consumers` keep a cursor, and events are retained until all of them have applied the events; `followers` may only
  // read. Both need static storage. `keeps` (up to a week) retains applied events longer, for consumers whose database
  // is restored from a backup.
  EventFeed(Process& process, pg::Pool& database, std::initializer_list<std::string_view> consumers,
            std::initializer_list<std::string_view> followers = {},
            std::chrono::seconds keeps = std::chrono::minutes(10));

  // Serves snapshots, from which consumers may begin, at GET /internal/snapshot.
  void tell_snapshots(events::SnapshotSettings settings);

  void start() { process_.spawn("event feed", feed_.run()); }
  void stop() { feed_.stop(); }
  // Looks for new events at once. Not needed for commits of this process: see events::Feed.
  void notify() { feed_.notify(); }
  // The feed, for readers in this process.
  events::Feed& feed() { return feed_; }

 private:
  void show();
  events::Report report() const;
  Process& process_;
  const std::vector<std::string_view> consumers_;
  events::Feed feed_;
  std::optional<events::Snapshots> snapshots_;
};

// Applies another service's events in this process.
class EventConsumer {
 public:
  // `apply` and the other functions are those of events::ConsumerWork; `restore` is for producers that serve snapshots.
  // The consumer's name is this service's name.
  EventConsumer(Process& process, pg::Pool& database, std::string producer, const std::string& url,
                decltype(events::ConsumerWork::apply) apply, decltype(events::ConsumerWork::forget) forget,
                events::Dropped dropped = events::Dropped::needed,
                decltype(events::ConsumerWork::restore) restore = {});
  // Applies this service's own events under a consumer name of its own.
  EventConsumer(Process& process, pg::Pool& database, events::Feed& own, const std::string& name,
                decltype(events::ConsumerWork::apply) apply, decltype(events::ConsumerWork::forget) forget);

  void start() { process_.spawn("event consumer", consumer_.run()); }
  void stop() { consumer_.stop(); }

 private:
  void show(const std::string& name, const std::string& producer);
  Process& process_;
  std::optional<ServiceClient> peer_;  // the producer, if it is another service
  RequestContext scope_;
  events::Consumer consumer_;
};

}  // namespace parley::chassis
