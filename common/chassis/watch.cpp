// Metrics of pools, caches and upstreams.
#include "common/chassis/process.hpp"
#include "common/http/upstream.hpp"
#include "common/pg/pool.hpp"
#include "common/redis/client.hpp"
#include "common/redis/count_cache.hpp"

namespace parley::chassis {

namespace {

// SQLSTATE classes that reveal trouble or load of the database: exported from the start, others when they occur. 08
// connection, 23 constraint, 40 deadlock and serialization, 53 resources, 55 lock, 57 shutdown or timeout.
constexpr std::array kClasses{"08", "23", "40", "53", "55", "57"};

std::vector<pg::Lane> lanes_of(const pg::Pool& pool) {
  std::vector out{pg::Lane::read, pg::Lane::write, pg::Lane::slow};
  if (pool.has_replica()) out.push_back(pg::Lane::replica);
  return out;
}

// All variants of a statement, `name+part+part`, count as one query.
std::string query_of(const pg::Statement& statement) { return statement.name.substr(0, statement.name.find('+')); }

// Histograms by pg::Statement::id, created on first use.
class Queries {
 public:
  explicit Queries(prometheus::Family<prometheus::Histogram>& family) : family_(family) {}
  void observe(const pg::BatchReport& report) {
    if (!report.first) return;  // a COMMIT alone
    if (report.first->id >= known_.size()) known_.resize(pg::statement_count());
    auto& histogram = known_[report.first->id];
    if (!histogram) histogram = &family_.Add({{"query", query_of(*report.first)}}, kFewSeconds);
    histogram->Observe(report.seconds);
  }

 private:
  prometheus::Family<prometheus::Histogram>& family_;
  std::vector<prometheus::Histogram*> known_;
};

// Outcomes of requests to another service.
class Answers {
 public:
  using Why = http::Unreachable::Why;
  Answers(Metrics& metrics, const std::string& prefix, const std::string& service)
      : seconds_(metrics
                     .histograms(prefix + "upstream_duration_seconds",
                                 "From a request to another service to its answer's head, waits and a retry included")
                     .Add({{"service", service}}, kSeconds)) {
    auto& family = metrics.counters(prefix + "upstream_requests_total",
                                    "Requests to another service, by what became of them; ok is any status");
    const auto add = [&](const char* outcome) { return &family.Add({{"service", service}, {"outcome", outcome}}); };
    ok_ = add("ok");
    failed_.resize(5);
    failed_[std::size_t(Why::refused)] = add("refused");
    failed_[std::size_t(Why::timeout)] = add("timeout");
    failed_[std::size_t(Why::reset)] = add("reset");
    failed_[std::size_t(Why::overloaded)] = add("overloaded");
    failed_[std::size_t(Why::bad_answer)] = add("bad_answer");
  }
  void observe(const http::UpstreamReport& report) {
    (report.failure ? failed_[std::size_t(*report.failure)] : ok_)->Increment();
    seconds_.Observe(report.seconds);
  }

 private:
  prometheus::Histogram& seconds_;
  prometheus::Counter* ok_;
  std::vector<prometheus::Counter*> failed_;  // by reason
};

}  // namespace

prometheus::Counter& Process::shed(const char* reason) {
  auto& family = metrics_.counters("load_shed_total", "What was refused as there was too much to do at once");
  for (const char* each : {"queue_full", "deadline", "concurrency"}) family.Add({{"reason", each}});
  return family.Add({{"reason", reason}});
}

void Process::watch(pg::Pool& pool) {
  auto& connections = metrics_.gauges("db_pool_connections", "Connections to PostgreSQL");
  for (const auto lane : lanes_of(pool)) {
    const std::string name(pg::name_of(lane));
    const prometheus::Labels labels{{"pool", name}};
    auto& idle = connections.Add({{"pool", name}, {"state", "idle"}});
    auto& active = connections.Add({{"pool", name}, {"state", "active"}});
    metrics_.before_scrape([&pool, &idle, &active, lane] {
      const auto stats = pool.stats(lane);
      idle.Set(stats.idle);
      active.Set(stats.active);
    });
    const auto from = [&pool, lane](auto member) {
      return [&pool, lane, member] { return double(pool.stats(lane).*member); };
    };
    metrics_.gauge_from("db_pool_connections_max", "Connections to PostgreSQL that there may be", labels,
                        from(&pg::LaneStats::configured));
    metrics_.gauge_from("db_pool_waiters", "Requests that wait for a connection", labels,
                        from(&pg::LaneStats::waiters));
    metrics_.gauge_from("db_pool_waiting_organizations", "Whose requests they are: organizations take turns", labels,
                        from(&pg::LaneStats::organizations));
    metrics_.counter_from("db_batches_total", "Batches of statements answered", labels, from(&pg::LaneStats::batches));
    metrics_.counter_from("db_pool_rejected_total", "Batches refused because a bound or a deadline was reached", labels,
                          from(&pg::LaneStats::rejected));
    metrics_.add_from(shed("queue_full"), from(&pg::LaneStats::queue_full));
    metrics_.add_from(shed("deadline"), from(&pg::LaneStats::late));
    metrics_.add_from(shed("concurrency"), from(&pg::LaneStats::too_many));
  }
  watch_errors(pool);
  watch_times(pool);
  if (pool.has_replica()) watch_replica(pool);
}

void Process::watch_replica(pg::Pool& pool) {
  const auto add = [&](const char* result, std::uint64_t pg::ReplicaReads::* member) {
    metrics_.counter_from("db_replica_reads_total",
                          "Reads that a replica might answer: by one, or by the primary as it was behind or away",
                          {{"result", result}}, [&pool, member] { return double(pool.replica_reads().*member); });
  };
  add("replica", &pg::ReplicaReads::replica);
  add("behind", &pg::ReplicaReads::behind);
  add("away", &pg::ReplicaReads::away);
  // A failing replica fails no request, so only this line reports the reason.
  metrics_.before_scrape([this, &pool, told = std::string()]() mutable {
    auto why = pool.stats(pg::Lane::replica).last_failure;
    if (why.empty() || why == told) return;
    log_.warn("replica").with("error", why);
    told = std::move(why);
  });
}

void Process::watch_errors(pg::Pool& pool) {
  auto& errors = metrics_.counters("db_errors_total", "Batches that failed, by the class of their SQLSTATE");
  auto& retries = metrics_.counters("db_retries_total", "Work that was done anew after it failed, by SQLSTATE's class");
  boundary_.count_retries(&retries.Add({{"class", "40"}}));
  for (const auto lane : lanes_of(pool)) {
    const std::string name(pg::name_of(lane));
    for (const char* state : kClasses) errors.Add({{"pool", name}, {"class", state}});
    metrics_.before_scrape([&pool, &errors, lane, name] {
      for (const auto& [state, count] : pool.stats(lane).errors) {
        auto& counter = errors.Add({{"pool", name}, {"class", state}});
        counter.Increment(double(count) - counter.Value());
      }
    });
    metrics_.add_from(retries.Add({{"class", "08"}}), [&pool, lane] { return double(pool.stats(lane).retried); });
    metrics_.add_from(retries.Add({{"class", "0A"}}), [&pool, lane] { return double(pool.stats(lane).replanned); });
  }
}

void Process::watch_times(pg::Pool& pool) {
  auto& waits = metrics_.histograms("db_pool_wait_seconds", "How long batches and transactions wait for a connection");
  std::vector<prometheus::Histogram*> by_lane;
  for (const auto lane : lanes_of(pool))
    by_lane.push_back(&waits.Add({{"pool", std::string(pg::name_of(lane))}}, kSeconds));
  pool.observe_waits([by_lane](pg::Lane lane, double seconds) { by_lane.at(std::size_t(lane))->Observe(seconds); });
  pool.observe(
      [this, queries = Queries(metrics_.histograms("db_query_duration_seconds",
                                                   "From sending a batch to its last answer, by its first statement"))](
          const pg::BatchReport& report) mutable {
        queries.observe(report);
        tracer_.batch(report);
      });
}

void Process::watch(redis::Client& client) {
  metrics_.gauge_from("redis_up", "1 when Redis answers", {}, [&client] { return client.stats().up ? 1.0 : 0.0; });
  metrics_.counter_from("redis_commands_total", "Commands sent", {},
                        [&client] { return double(client.stats().commands); });
  metrics_.counter_from("redis_timeouts_total", "Commands not answered in time", {},
                        [&client] { return double(client.stats().timeouts); });
  metrics_.counter_from("redis_refused_total", "Commands not sent, Redis being away", {},
                        [&client] { return double(client.stats().refused); });
  metrics_.counter_from("redis_errors_total", "Commands answered with an error", {},
                        [&client] { return double(client.stats().errors); });
  auto& seconds = metrics_.histograms("redis_commands_duration_seconds", "From a command to its reply or time-out")
                      .Add({}, kFewSeconds);
  client.observe([&seconds](double time) { seconds.Observe(time); });
  // Everything works without Redis, so only this line reports the reason.
  metrics_.before_scrape([this, &client, told = std::string()]() mutable {
    const auto stats = client.stats();
    if (stats.up || stats.last_fault.empty()) return told.clear();
    if (stats.last_fault == told) return;
    log_.warn("redis").with("error", stats.last_fault);
    told = stats.last_fault;
  });
}

void Process::watch(const std::string& service, http::Upstream& upstream) {
  const bool is_gateway = settings_.name == "gateway";
  const std::string prefix = is_gateway ? "gateway_" : "", short_prefix = is_gateway ? "gateway_" : "upstream_";
  const prometheus::Labels labels{{"service", service}};
  const auto from = [&upstream](auto member) {
    return [&upstream, member] { return double(upstream.stats().*member); };
  };
  using Stats = http::UpstreamStats;
  metrics_.gauge_from(prefix + "upstream_in_flight", "Requests to another service under way", labels,
                      from(&Stats::in_flight));
  metrics_.gauge_from(prefix + "upstream_queued", "Requests that wait to be sent", labels, from(&Stats::queued));
  metrics_.gauge_from(short_prefix + "endpoint_ejected", "Endpoints left alone after failures", labels,
                      from(&Stats::ejected));
  metrics_.gauge_from(
      short_prefix + "circuit_state",
      "0: closed, 1: an endpoint is left alone or has not answered since, 2: open, as all are or none is known", labels,
      from(&Stats::circuit));
  metrics_.counter_from(short_prefix + "retries_total", "Requests sent a second time", labels, from(&Stats::retries));
  metrics_.counter_from(short_prefix + "retry_budget_exhausted_total",
                        "Requests not sent a second time, as too many had been", labels, from(&Stats::retries_denied));
  if (upstream.is_tls())
    metrics_.gauge_from("tls_peer_certificate_expiry_timestamp_seconds",
                        "The end of the certificate that a service last showed; 0: none yet", labels,
                        from(&Stats::certificate_expiry));
  metrics_.add_from(shed("queue_full"), from(&Stats::queue_full));
  metrics_.add_from(shed("deadline"), from(&Stats::late));
  upstream.observe([answers = Answers(metrics_, prefix, service)](const http::UpstreamReport& report) mutable {
    answers.observe(report);
  });
}

void Process::watch(const std::string& cache, const redis::CountCache& counts) {
  const auto counters = watch_cache(cache);
  const auto& stats = counts.stats();
  metrics_.add_from(counters.hits, [&stats] { return double(stats.hits); });
  metrics_.add_from(counters.misses, [&stats] { return double(stats.misses - stats.stale); });
  metrics_.add_from(counters.stale, [&stats] { return double(stats.stale); });
  metrics_.add_from(counters.bypasses, [&stats] { return double(stats.bypasses - stats.errors); });
  metrics_.add_from(counters.errors, [&stats] { return double(stats.errors); });
}

Process::CacheCounters Process::watch_cache(const std::string& cache) {
  auto& family = metrics_.counters("cache_requests_total", "What caches were asked for, by what became of it");
  const auto add = [&](const char* result) -> prometheus::Counter& {
    return family.Add({{"cache", cache}, {"result", result}});
  };
  return {add("hit"), add("miss"), add("stale"), add("bypass"), add("error")};
}

}  // namespace parley::chassis
