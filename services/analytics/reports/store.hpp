#pragma once
#include <boost/asio/awaitable.hpp>
#include <unordered_set>

#include "analytics/reports/span.hpp"
#include "common/pg/pool.hpp"

namespace parley::analytics::reports {

using boost::asio::awaitable;

// Selects the campaigns that match all given values.
struct Filter {
  std::optional<model::Uuid> campaign, list;  // a list of the campaign's recipients
  std::optional<std::string> tag;             // its id, or else its label
};

// Figures from before `exact_from` may be incomplete; nullopt: all are exact.
struct CampaignFigures {
  std::vector<Slot> slots;
  std::optional<model::Timestamp> exact_from;
};
struct PrimaryFigures {
  std::vector<PrimarySlot> slots;
  std::optional<std::int64_t> contacts_before;  // before the first slot; nullopt if unknown
  std::optional<model::Timestamp> exact_from;
};

// Each report reads one snapshot.
class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  awaitable<CampaignFigures> campaigns(model::Uuid organization, Span span, Filter filter = {});
  // nullopt if the campaign does not exist.
  awaitable<std::optional<CampaignFigures>> campaign(model::Uuid organization, model::Uuid id, Span span);
  awaitable<PrimaryFigures> primary(model::Uuid organization, Span span);

  awaitable<bool> knows_zone(std::string name);
  // Replaces the edges' days by moments in their zone.
  awaitable<Edges> resolve_days(Edges edges);

 private:
  pg::Pool& database_;
  std::unordered_set<std::string> zones_;  // all zones of the database; loaded on first use
};

}  // namespace parley::analytics::reports
