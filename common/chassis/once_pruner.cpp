#include "common/chassis/once_pruner.hpp"

#include "common/chassis/once/sql.hpp"

namespace parley::chassis {

using namespace std::chrono_literals;

namespace {

constexpr int kMostAtOnce = 1'000;
constexpr auto kBreath = 100ms;  // between two steps, as requests need the connections too

}  // namespace

OncePruner::OncePruner(Process& process, pg::Pool& database, std::chrono::milliseconds pause)
    : process_(process),
      database_(database),
      pause_(pause),
      loop_(
          process.context(), {pause, pause}, [this] { return prune(); },
          [this](const auto& what) {
            if (!loop_.stopping()) process_.log().warn("kept answers were not pruned").with("error", what);
          }) {}

awaitable<std::chrono::milliseconds> OncePruner::prune() {
  const auto results = co_await database_.write(pg::Batch(once::prune, kMostAtOnce));
  co_return results.affected() < kMostAtOnce ? pause_ : std::chrono::milliseconds(kBreath);
}

}  // namespace parley::chassis
