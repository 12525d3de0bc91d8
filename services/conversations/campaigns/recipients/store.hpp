#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/model/campaign.hpp"
#include "common/pg/pool.hpp"
#include "conversations/campaigns/recipients/shapes.hpp"

namespace parley::conversations::recipients {

using boost::asio::awaitable;

// Whose recipients they are.
struct Campaign {
  model::Uuid organization, id;
  model::CampaignStatus status = model::CampaignStatus::Draft;
  model::CampaignProgress progress;
  std::int64_t last = 0;  // ordinals are from 1 to this one, so far
  std::vector<std::string> variants;
};

struct Page {
  std::vector<Recipient> recipients;
  std::int64_t total = 0;
  std::optional<PageCursor> next;  // nothing: there are no more
};

// Of those who match behind an ordinal.
struct Step {
  std::vector<Recipient> recipients;
  std::int64_t end = 0;  // the last ordinal that was looked at
};

// A variant that the campaign does not have is a Problem 400.
class Store {
 public:
  explicit Store(pg::Pool& database, std::int64_t max_looked_at = 1'000'000)
      : database_(database), max_looked_at_(max_looked_at) {}

  awaitable<std::optional<Campaign>> find(model::Uuid organization, model::Uuid id);
  // Those who match, in the order of their ordinals. Where they are rare a page may be short, or empty, and not the
  // last one: a million recipients are looked at for it. The total is the campaign's own figure where that says it;
  // what has to be counted is so among the first million.
  awaitable<Page> list(const Campaign& campaign, const Filter& filter);
  // The same for all of them, bit by bit: each is as it was when its step was taken.
  awaitable<Step> step(const Campaign& campaign, const Filter& filter, std::int64_t after);

  // Tells who follows this service's events.
  awaitable<void> emit(model::RawJson changes);

 private:
  pg::Pool& database_;
  std::int64_t max_looked_at_;
};

}  // namespace parley::conversations::recipients
