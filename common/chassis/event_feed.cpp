#include "common/chassis/events.hpp"

namespace parley::chassis {

namespace {

events::FeedSettings settings_for(std::initializer_list<std::string_view> consumers, std::chrono::seconds keeps) {
  events::FeedSettings settings;
  settings.min_age = keeps;
  for (const auto name : consumers) settings.consumers.emplace_back(name);
  return settings;
}

}  // namespace

EventFeed::EventFeed(Process& process, pg::Pool& database, std::initializer_list<std::string_view> consumers,
                     std::initializer_list<std::string_view> followers, std::chrono::seconds keeps)
    : process_(process),
      consumers_(consumers),
      feed_(process.context(), database, settings_for(consumers, keeps), report()) {
  Services readers{consumers};
  readers.names.insert(readers.names.end(), followers);
  process.pipeline().add(http::Method::get, "/internal/events", readers,
                         [this](Call& call) { return feed_.serve(std::string(call.request.query)); });
  show();
}

events::Report EventFeed::report() const {
  return [&log = process_.log()](std::string_view what) { log.warn("event feed").with("error", what); };
}

void EventFeed::tell_snapshots(events::SnapshotSettings settings) {
  snapshots_.emplace(feed_, std::move(settings), report());
  process_.pipeline().add(http::Method::get, "/internal/snapshot", Services{consumers_},
                          [this](Call&) { return snapshots_->serve(); });
}

void EventFeed::show() {
  auto& metrics = process_.metrics();
  metrics.gauge_from("event_feed_head", "The last position given to an event", {},
                     [this] { return double(feed_.stats().head); });
  metrics.gauge_from("event_feed_pruned", "Events up to this position may be gone", {},
                     [this] { return double(feed_.stats().pruned); });
  metrics.gauge_from("event_feed_followers", "Questions that wait for an event", {},
                     [this] { return double(feed_.stats().followers); });
  metrics.gauge_from("outbox_pending", "Events that have no position yet, so that nobody hears of them; at most 10,000",
                     {}, [this] { return double(feed_.stats().pending); });
  metrics.gauge_from("outbox_oldest_unpublished_timestamp_seconds", "Since when the oldest of them waits; 0: none does",
                     {}, [this] {
                       const auto oldest = feed_.stats().oldest_pending;
                       return oldest ? double(oldest->milliseconds_since_epoch) / 1e3 : 0.0;
                     });
  metrics.counter_from("event_feed_failures_total", "Attempts to order or prune events that failed", {},
                       [this] { return double(feed_.stats().failures); });
  auto& acknowledged =
      metrics.gauges("event_feed_acknowledged", "What a consumer has applied, as it told this process; 0: nothing yet");
  metrics.before_scrape([this, &acknowledged] {
    for (const auto& [consumer, position] : feed_.stats().acknowledged)
      acknowledged.Add({{"consumer", consumer}}).Set(double(position));
  });
}

}  // namespace parley::chassis
