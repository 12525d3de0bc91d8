#include "common/chassis/events.hpp"

namespace parley::chassis {

namespace {

events::FeedSettings settings_for(std::initializer_list<std::string_view> consumers) {
  events::FeedSettings settings;
  for (const auto name : consumers) settings.consumers.emplace_back(name);
  return settings;
}

}  // namespace

EventFeed::EventFeed(Process& process, pg::Pool& database, std::initializer_list<std::string_view> consumers,
                     std::initializer_list<std::string_view> followers)
    : process_(process), feed_(process.context(), database, settings_for(consumers), [&process](std::string_view what) {
        process.log().warn("event feed").with("error", what);
      }) {
  Services readers{consumers};
  readers.names.insert(readers.names.end(), followers);
  process.pipeline().add(http::Method::get, "/internal/events", readers,
                         [this](Call& call) { return feed_.serve(std::string(call.request.query)); });
  show();
}

void EventFeed::show() {
  auto& metrics = process_.metrics();
  metrics.gauge_from("event_feed_head", "The last position given to an event", {},
                     [this] { return double(feed_.stats().head); });
  metrics.gauge_from("event_feed_pruned", "Events up to this position may be gone", {},
                     [this] { return double(feed_.stats().pruned); });
  metrics.gauge_from("event_feed_followers", "Questions that wait for an event", {},
                     [this] { return double(feed_.stats().followers); });
  metrics.counter_from("event_feed_failures_total", "Attempts to order or prune events that failed", {},
                       [this] { return double(feed_.stats().failures); });
  auto& acknowledged =
      metrics.gauges("event_feed_acknowledged", "What a consumer has applied, as it told this process");
  metrics.before_scrape([this, &acknowledged] {
    for (const auto& [consumer, position] : feed_.stats().acknowledged)
      acknowledged.Add({{"consumer", consumer}}).Set(double(position));
  });
}

EventConsumer::EventConsumer(Process& process, pg::Pool& database, std::string producer, const std::string& url,
                             decltype(events::ConsumerWork::apply) apply, decltype(events::ConsumerWork::forget) forget)
    : process_(process),
      peer_(process, producer, url),
      consumer_(
          process.context(), database, {.name = process.signer().name(), .producer = producer},
          {.ask = [this](http::ClientRequest request) { return peer_.send(std::move(request), scope_); },
           .apply = std::move(apply),
           .forget = std::move(forget),
           .report = [&process](std::string_view what) { process.log().warn("event consumer").with("error", what); }}) {
  scope_.request_id = process.signer().name() + "-follows-" + producer;
  process.watch(producer, peer_.client().upstream());
  show(producer);
}

void EventConsumer::show(const std::string& producer) {
  auto& metrics = process_.metrics();
  const auto& stats = consumer_.stats();
  const prometheus::Labels labels{{"producer", producer}};
  metrics.gauge_from("event_consumer_position", "The last event applied", labels,
                     [&] { return double(stats.position); });
  metrics.gauge_from("event_consumer_lag", "Events told and not applied, at the last answer", labels,
                     [&] { return double(std::max<std::int64_t>(0, stats.head - stats.position)); });
  metrics.gauge_from("event_consumer_parked", "Events set aside because they could not be applied", labels,
                     [&] { return double(stats.parked); });
  metrics.gauge_from("event_consumer_broken", "1 while the feed cannot be followed: see the log", labels,
                     [&] { return stats.broken.empty() ? 0.0 : 1.0; });
  metrics.counter_from("event_consumer_applied_total", "Events applied by this process", labels,
                       [&] { return double(stats.applied); });
  metrics.counter_from("event_consumer_failures_total", "Attempts that failed and were made again", labels,
                       [&] { return double(stats.failures); });
  metrics.counter_from("event_consumer_rebuilds_total", "Times that all was read from the beginning again", labels,
                       [&] { return double(stats.rebuilds); });
}

}  // namespace parley::chassis
