#pragma once
#include <boost/asio/awaitable.hpp>
#include <unordered_set>

#include "analytics/reports/span.hpp"
#include "common/pg/pool.hpp"

namespace parley::analytics::reports {

using boost::asio::awaitable;

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // The figures of all campaigns of an organization, of one snapshot.
  awaitable<model::CampaignAnalytics> campaigns(model::Uuid organization, Span span);

  // Whether the database knows a time zone of this name.
  awaitable<bool> knows_zone(std::string name);
  // The moments that days of the edges' zone begin and end at, in their places.
  awaitable<Edges> resolve_days(Edges edges);

 private:
  pg::Pool& database_;
  std::unordered_set<std::string> zones_;  // all there are, once asked for
};

}  // namespace parley::analytics::reports
