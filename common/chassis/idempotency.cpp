#include "common/chassis/idempotency.hpp"

#include "common/chassis/idempotency/sql.hpp"

namespace parley::chassis {

using namespace std::chrono_literals;

namespace {

constexpr int kMaxAtOnce = 1'000;
constexpr auto kBreath = 100ms;  // between two steps, as requests need the connections

prometheus::Counter& counter_of(Metrics& metrics) {
  return metrics
      .counters(
          "idempotency_answers_not_kept_total",
          "Answers to requests with an Idempotency-Key that were not kept, being longer than 1 MiB or beyond what "
          "of their organization is kept a day")
      .Add({});
}

}  // namespace

Idempotency::Idempotency(Process& process, pg::Pool& database, std::chrono::milliseconds pause)
    : process_(process),
      database_(database),
      budget_(counter_of(process.metrics())),
      pause_(pause),
      loop_(
          process.context(), {pause, pause}, [this] { return prune(); },
          [this](const auto& what) {
            if (!loop_.stopping()) process_.log().warn("recorded answers were not pruned").with("error", what);
          }) {
  process.pipeline().commit_to(database, budget_);
}

awaitable<std::chrono::milliseconds> Idempotency::prune() {
  const auto results = co_await database_.write(pg::Batch(idempotency::prune, kMaxAtOnce));
  co_return results.affected() < kMaxAtOnce ? pause_ : std::chrono::milliseconds(kBreath);
}

}  // namespace parley::chassis
