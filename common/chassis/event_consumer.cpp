#include <limits>

#include "common/chassis/events.hpp"

namespace parley::chassis {

namespace {

// Calls a feed in this process, without HTTP.
awaitable<http::ClientResponse> ask(events::Feed& feed, http::ClientRequest request) {
  auto response = co_await feed.serve(request.target.substr(request.target.find('?') + 1));
  co_return http::ClientResponse{response.status, std::move(response.body)};
}

awaitable<std::unique_ptr<http::BodySource>> open(ServiceClient& peer, const RequestContext& scope,
                                                  http::ClientRequest request) {
  co_return co_await peer.open(std::move(request), scope);
}

}  // namespace

EventConsumer::EventConsumer(Process& process, pg::Pool& database, std::string producer, const std::string& url,
                             decltype(events::ConsumerWork::apply) apply, decltype(events::ConsumerWork::forget) forget,
                             events::Dropped dropped, decltype(events::ConsumerWork::restore) restore)
    : process_(process),
      peer_(std::in_place, process, producer, url,
            std::numeric_limits<std::int64_t>::max()),  // snapshots have no size limit
      consumer_(
          process.context(), database, {.name = process.signer().name(), .producer = producer},
          {.ask = [this](http::ClientRequest request) { return peer_->send(std::move(request), scope_); },
           .apply = std::move(apply),
           .forget = std::move(forget),
           .report = [&process](std::string_view what) { process.log().warn("event consumer").with("error", what); },
           .dropped = dropped,
           .open = [this](http::ClientRequest request) { return open(*peer_, scope_, std::move(request)); },
           .restore = std::move(restore)}) {
  scope_.request_id = process.signer().name() + "-follows-" + producer;
  process.watch(producer + "-events",
                peer_->client().upstream());  // the same service may also be called for other purposes
  show(process.signer().name(), producer);
}

EventConsumer::EventConsumer(Process& process, pg::Pool& database, events::Feed& own, const std::string& name,
                             decltype(events::ConsumerWork::apply) apply, decltype(events::ConsumerWork::forget) forget)
    : process_(process),
      consumer_(
          process.context(), database, {.name = name, .producer = process.signer().name(), .is_own = true},
          {.ask = [&own](http::ClientRequest request) { return ask(own, std::move(request)); },
           .apply = std::move(apply),
           .forget = std::move(forget),
           .report = [&process](std::string_view what) { process.log().warn("event consumer").with("error", what); },
           .dropped = events::Dropped::made_up}) {  // this consumer does not exist from the feed's beginning
  show(name, process.signer().name());
}

void EventConsumer::show(const std::string& name, const std::string& producer) {
  auto& metrics = process_.metrics();
  const auto& stats = consumer_.stats();
  const prometheus::Labels labels{{"consumer", name}, {"producer", producer}};
  metrics.gauge_from("event_consumer_position", "The last event applied", labels,
                     [&] { return double(stats.position); });
  metrics.gauge_from("event_consumer_lag", "Events told and not applied, at the last answer", labels,
                     [&] { return double(std::max<std::int64_t>(0, stats.head - stats.position)); });
  metrics.gauge_from(
      "event_consumer_lag_seconds",
      "Since all that was told was last known to be applied; up to 5 while nothing is told", labels,
      [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - stats.caught_up_at).count(); });
  metrics.gauge_from("event_consumer_parked", "Events set aside because they could not be applied", labels,
                     [&] { return double(stats.parked); });
  metrics.gauge_from("event_consumer_broken", "1 while the feed cannot be followed: see the log", labels,
                     [&] { return stats.broken.empty() ? 0.0 : 1.0; });
  const auto processed = [&](const char* result, std::function<double()> read) {
    auto all = labels;
    all.emplace("result", result);
    metrics.counter_from("event_consumer_processed_total",
                         "Events: applied here, by another replica, set aside; retry: attempts that were made again",
                         all, std::move(read));
  };
  processed("ok", [&] { return double(stats.applied); });
  processed("duplicate", [&] { return double(stats.overtaken); });
  processed("dead", [&] { return double(stats.dead); });
  processed("retry", [&] { return double(stats.failures); });
  metrics.counter_from("event_consumer_rebuilds_total",
                       "Times that all was read anew, from a snapshot or the feed's beginning", labels,
                       [&] { return double(stats.rebuilds); });
}

}  // namespace parley::chassis
