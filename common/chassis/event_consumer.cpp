#include "common/chassis/events.hpp"

namespace parley::chassis {

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
  process.watch(producer + "-events", peer_.client().upstream());  // its service may be asked for other things too
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
