#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/model/campaign.hpp"
#include "common/pg/pool.hpp"
#include "conversations/campaigns/recipients/shapes.hpp"

namespace parley::conversations::recipients {

using boost::asio::awaitable;

struct Campaign {
  model::Uuid organization, id;
  model::CampaignStatus status = model::CampaignStatus::Draft;
  model::CampaignProgress progress;
  std::int64_t last = 0;          // ordinals so far are 1 to this one
  std::int64_t first_unsent = 1;  // ordinals before it have their messages, or were skipped
  std::int64_t untouched = 0;     // recipients without a message that were not skipped
  bool has_retries = false;       // whether a message waits for another attempt
  std::vector<std::string> variants;
};

struct Page {
  std::vector<Recipient> recipients;
  std::int64_t total = 0;
  std::optional<PageCursor> next;  // nullopt: no more pages
};

// Matching recipients behind an ordinal.
struct Step {
  std::vector<Recipient> recipients;
  std::int64_t end = 0;  // last ordinal scanned
};

// An unknown variant is a Problem 400.
class Store {
 public:
  explicit Store(pg::Pool& database, std::int64_t max_looked_at = 20'000)
      : database_(database), max_looked_at_(max_looked_at) {}

  awaitable<std::optional<Campaign>> find(model::Uuid organization, model::Uuid id);
  // Returns matches in the order of ordinals. Scans at most 20,000 recipients, unless an index has those that match:
  // where matches are rare, a page may be short or empty without being the last. The total is the campaign's own
  // figure, or what an index counts, or else a count among the first 20,000.
  awaitable<Page> list(const Campaign& campaign, const Filter& filter);
  // Reads the next step of all matches; each recipient is current as of its step.
  awaitable<Step> step(const Campaign& campaign, const Filter& filter, std::int64_t after);

  // Appends events to this service's feed.
  awaitable<void> emit(model::RawJson changes);

 private:
  pg::Pool& database_;
  std::int64_t max_looked_at_;
};

}  // namespace parley::conversations::recipients
