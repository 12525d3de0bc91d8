#include "analytics/reports/store.hpp"

#include "analytics/reports/sql.hpp"

namespace parley::analytics::reports {

namespace {

struct Days {
  model::Timestamp starts, ends;
};
BOOST_DESCRIBE_STRUCT(Days, (), (starts, ends))

}  // namespace

awaitable<model::CampaignAnalytics> Store::campaigns(model::Uuid organization, Span span) {
  const auto results = co_await database_.read(
      pg::Batch(sql::campaigns, organization, span.starts, span.ends, span.by_hours ? "hour" : "day", span.zone));
  co_return summarise(results.rows<Slot>());
}

awaitable<bool> Store::knows_zone(std::string name) {
  if (name == "UTC") co_return true;
  if (zones_.empty()) {
    const auto results = co_await database_.slow(pg::Batch(sql::zones));
    for (auto& zone : results.rows<std::string>()) zones_.insert(std::move(zone));
  }
  co_return zones_.contains(name);
}

awaitable<Edges> Store::resolve_days(Edges edges) {
  const std::string& first = edges.from.day ? *edges.from.day : *edges.to.day;
  const std::string& last = edges.to.day ? *edges.to.day : first;
  const auto results = co_await database_.read(pg::Batch(sql::days, first, last, edges.zone));
  const auto days = results.one<Days>();
  if (edges.from.day) edges.from.moment = days.starts;
  if (edges.to.day) edges.to.moment = days.ends;
  co_return edges;
}

}  // namespace parley::analytics::reports
