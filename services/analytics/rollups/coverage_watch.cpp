#include "analytics/rollups/coverage_watch.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>

#include "analytics/rollups/sql.hpp"

namespace parley::analytics::rollups {

namespace {

constexpr auto kPause = std::chrono::seconds(10);

}  // namespace

CoverageWatch::CoverageWatch(chassis::Process& process, pg::Pool& database,
                             std::initializer_list<std::string_view> producers)
    : process_(process), database_(database), timer_(process.context()) {
  for (const auto producer : producers) {
    auto& exact_from = exact_from_[std::string(producer)];
    process.metrics().gauge_from("analytics_exact_from_seconds",
                                 "Unix time before which figures may lack something; 0: all are exact",
                                 {{"producer", std::string(producer)}},
                                 [&exact_from] { return double(exact_from.milliseconds_since_epoch) / 1000; });
  }
}

void CoverageWatch::stop() {
  stopped_ = true;
  timer_.cancel();
}

awaitable<void> CoverageWatch::run() {
  while (!stopped_) {
    co_await look();
    if (stopped_) co_return;
    timer_.expires_after(kPause);
    co_await timer_.async_wait(boost::asio::as_tuple(boost::asio::deferred));
  }
}

awaitable<void> CoverageWatch::look() {
  std::vector<Inexact> rows;
  try {
    const auto results = co_await database_.read(pg::Batch(sql::coverage));
    rows = results.rows<Inexact>();
  } catch (const std::exception&) {
    co_return;  // the pool tells of its own trouble, the schema's watch of a table that is not there yet
  }
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
}

}  // namespace parley::analytics::rollups
