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

// What this service tells, at GET /internal/events.
class EventFeed {
 public:
  // `consumers` are services that keep a cursor: events wait for them. `followers` may read too. Both have static
  // storage. `keeps`: what all consumers have applied stays for so long, for those whose databases are restored from
  // backups, up to a week.
  EventFeed(Process& process, pg::Pool& database, std::initializer_list<std::string_view> consumers,
            std::initializer_list<std::string_view> followers = {},
            std::chrono::seconds keeps = std::chrono::minutes(10));

  // Tells what the feed's consumers may begin with, at GET /internal/snapshot.
  void tell_snapshots(events::SnapshotSettings settings);

  void start() { process_.spawn("event feed", feed_.run()); }
  void stop() { feed_.stop(); }
  // Looks for new events at once. Nobody needs to call it for what this process commits: see events::Feed.
  void notify() { feed_.notify(); }
  // For who reads it in this process.
  events::Feed& feed() { return feed_; }

 private:
  void show();
  events::Report report() const;
  Process& process_;
  const std::vector<std::string_view> consumers_;
  events::Feed feed_;
  std::optional<events::Snapshots> snapshots_;
};

// What another service tells, applied here.
class EventConsumer {
 public:
  // `apply` and the others as in events::ConsumerWork, `restore` of a producer that tells snapshots. This service's
  // name is the consumer's.
  EventConsumer(Process& process, pg::Pool& database, std::string producer, const std::string& url,
                decltype(events::ConsumerWork::apply) apply, decltype(events::ConsumerWork::forget) forget,
                events::Dropped dropped = events::Dropped::needed,
                decltype(events::ConsumerWork::restore) restore = {});
  // What this service itself tells, applied here under a consumer's name of its own.
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
