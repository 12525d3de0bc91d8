#include "analytics/rollups/coverage_watch.hpp"

#include "analytics/rollups/sql.hpp"

namespace parley::analytics::rollups {

namespace {

constexpr auto kPause = std::chrono::seconds(10);

}  // namespace

CoverageWatch::CoverageWatch(chassis::Process& process, pg::Pool& database,
                             std::initializer_list<std::string_view> producers)
    : process_(process),
      database_(database),
      loops_(
          process.context(), 1, kPause, [this] { return look(); },
          [](const auto&) {}) {  // the pool and the schema watch report these errors themselves
  for (const auto producer : producers) {
    auto& exact_from = exact_from_[std::string(producer)];
    process.metrics().gauge_from("analytics_exact_from_seconds",
                                 "Unix time before which figures may lack something; 0: all are exact",
                                 {{"producer", std::string(producer)}},
                                 [&exact_from] { return double(exact_from.milliseconds_since_epoch) / 1000; });
  }
}

awaitable<bool> CoverageWatch::look() {
  const auto results = co_await database_.read(pg::Batch(sql::coverage));
  const auto rows = results.rows<Inexact>();
  auto before = exact_from_;
  for (auto& [producer, moment] : exact_from_) moment = {};
  for (const auto& row : rows) {
    exact_from_[row.producer] = row.exact_from;
    if (before[row.producer] != row.exact_from)
      process_.log()
          .warn("figures may not be exact: they were made anew, and what was deleted before can no longer be told")
          .with("producer", row.producer)
          .with("before", row.exact_from);
  }
  co_return false;
}

}  // namespace parley::analytics::rollups
