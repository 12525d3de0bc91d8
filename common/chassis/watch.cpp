// What pools, caches and upstreams count, as metrics.
#include "common/chassis/process.hpp"
#include "common/http/upstream.hpp"
#include "common/pg/pool.hpp"
#include "common/redis/client.hpp"

namespace parley::chassis {

void Process::watch(const pg::Pool& pool) {
  auto& connections = metrics_.gauges("db_pool_connections", "Connections to PostgreSQL");
  auto& waiters = metrics_.gauges("db_pool_waiters", "Requests that wait for a connection");
  auto& batches = metrics_.counters("db_batches_total", "Batches of statements answered");
  auto& rejected =
      metrics_.counters("db_pool_rejected_total", "Batches refused because a bound or a deadline was reached");
  auto& waited = metrics_.counters("db_pool_wait_seconds_total", "Time spent waiting for a connection");
  auto& errors = metrics_.counters("db_errors_total", "Statements refused, by the class of their SQLSTATE");
  for (const auto lane : {pg::Lane::read, pg::Lane::write, pg::Lane::slow}) {
    const std::string name(pg::name_of(lane));
    auto& idle = connections.Add({{"pool", name}, {"state", "idle"}});
    auto& active = connections.Add({{"pool", name}, {"state", "active"}});
    auto& waiting = waiters.Add({{"pool", name}});
    auto& done = batches.Add({{"pool", name}});
    auto& refused = rejected.Add({{"pool", name}});
    auto& seconds = waited.Add({{"pool", name}});
    metrics_.before_scrape([&, lane, name] {
      const auto stats = pool.stats(lane);
      idle.Set(stats.idle);
      active.Set(stats.active);
      waiting.Set(static_cast<double>(stats.waiters));
      done.Increment(static_cast<double>(stats.batches) - done.Value());
      refused.Increment(static_cast<double>(stats.rejected) - refused.Value());
      seconds.Increment(stats.wait_seconds - seconds.Value());
      for (const auto& [state, count] : stats.errors) {
        auto& counter = errors.Add({{"pool", name}, {"class", state}});
        counter.Increment(static_cast<double>(count) - counter.Value());
      }
    });
  }
}

void Process::watch(const redis::Client& client) {
  metrics_.gauge_from("redis_up", "1 when Redis answers", {}, [&client] { return client.stats().up ? 1.0 : 0.0; });
  metrics_.counter_from("redis_commands_total", "Commands sent", {},
                        [&client] { return double(client.stats().commands); });
  metrics_.counter_from("redis_timeouts_total", "Commands not answered in time", {},
                        [&client] { return double(client.stats().timeouts); });
  metrics_.counter_from("redis_refused_total", "Commands not sent, Redis being away", {},
                        [&client] { return double(client.stats().refused); });
}

void Process::watch(std::string service, const http::Upstream& upstream) {
  const prometheus::Labels labels{{"service", std::move(service)}};
  metrics_.gauge_from("upstream_in_flight", "Requests to another service under way", labels,
                      [&upstream] { return double(upstream.stats().in_flight); });
  metrics_.gauge_from("upstream_queued", "Requests that wait to be sent", labels,
                      [&upstream] { return double(upstream.stats().queued); });
  metrics_.gauge_from("upstream_endpoints_ejected", "Endpoints left alone after failures", labels,
                      [&upstream] { return double(upstream.stats().ejected); });
  metrics_.counter_from("upstream_retries_total", "Requests sent a second time", labels,
                        [&upstream] { return double(upstream.stats().retries); });
  metrics_.counter_from("upstream_timeouts_total", "Requests not answered in time", labels,
                        [&upstream] { return double(upstream.stats().timeouts); });
  metrics_.counter_from("upstream_refused_total", "Connections refused", labels,
                        [&upstream] { return double(upstream.stats().refused); });
  metrics_.counter_from("upstream_resets_total", "Connections broken under a request", labels,
                        [&upstream] { return double(upstream.stats().resets); });
  metrics_.counter_from("upstream_overloads_total", "Requests refused, too many being under way", labels,
                        [&upstream] { return double(upstream.stats().overloads); });
}

}  // namespace parley::chassis
