#include "common/chassis/removals.hpp"

namespace parley::chassis {

Removals::Removals(Process& process, pg::Pool& database, std::vector<removals::Kind> kinds)
    : process_(process), worker_(process.context(), database, std::move(kinds), [&process](std::string_view what) {
        process.log().warn("removal").with("error", what);
      }) {
  auto& metrics = process.metrics();
  const auto& stats = worker_.stats();
  metrics.gauge_from("removals_pending", "Deletions whose rows are still being removed", {},
                     [&] { return double(stats.pending); });
  metrics.counter_from("removals_rows_total", "Rows removed in the background by this process", {},
                       [&] { return double(stats.rows); });
  metrics.counter_from("removals_finished_total", "Deletions whose last row this process removed", {},
                       [&] { return double(stats.finished); });
  metrics.counter_from("removals_failures_total", "Attempts that failed and were made again", {},
                       [&] { return double(stats.failures); });
}

}  // namespace parley::chassis
