#pragma once
#include <boost/asio/awaitable.hpp>
#include <unordered_set>

#include "analytics/reports/span.hpp"
#include "common/pg/pool.hpp"

namespace parley::analytics::reports {

using boost::asio::awaitable;

// Which campaigns are meant: those that fit all that is given.
struct Filter {
  std::optional<model::Uuid> campaign, list;  // a list that the campaign is for
  std::optional<std::string> tag;             // its id, or else its label
};

// What a report is made of. Figures of before `exact_from`, if there is such a moment, may lack something.
struct CampaignFigures {
  std::vector<Slot> slots;
  std::optional<model::Timestamp> exact_from;
};
struct PrimaryFigures {
  std::vector<PrimarySlot> slots;
  std::optional<std::int64_t> contacts_before;  // the first slot; nullopt when that is not known
  std::optional<model::Timestamp> exact_from;
};

// Each report is of one snapshot.
class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  awaitable<CampaignFigures> campaigns(model::Uuid organization, Span span, Filter filter = {});
  // nullopt: the organization has no such campaign.
  awaitable<std::optional<CampaignFigures>> campaign(model::Uuid organization, model::Uuid id, Span span);
  awaitable<PrimaryFigures> primary(model::Uuid organization, Span span);

  // Whether the database knows a time zone of this name.
  awaitable<bool> knows_zone(std::string name);
  // The moments that days of the edges' zone begin and end at, in their places.
  awaitable<Edges> resolve_days(Edges edges);

 private:
  pg::Pool& database_;
  std::unordered_set<std::string> zones_;  // all there are, once asked for
};

}  // namespace parley::analytics::reports
