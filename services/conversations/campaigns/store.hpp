#pragma once
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <set>

#include "common/chassis/quotas.hpp"
#include "common/pg/pool.hpp"
#include "conversations/campaigns/shapes.hpp"

namespace parley::conversations::campaigns {

using boost::asio::awaitable;

inline constexpr std::string_view kQuota = "campaigns";  // of campaigns that have not ended; see chassis/quotas.hpp

// The removal kind of a deleted campaign's data; its figures and links stay.
inline constexpr auto kDeletion = "campaign";

// A campaign from this service's database: tag labels are those at the time the tags were added.
struct Found {
  model::Campaign campaign;
  bool ahead = false;            // scheduledAt is ahead of the database's clock
  bool held = false;             // only an operator can release it; the status reason says why
  bool number_by_start = false;  // start has set the phone number: nobody chose it
  std::string version;
  bool has_experiment = false;
};

struct Page {
  std::vector<model::Campaign> campaigns;
  std::int64_t total = 0;
  bool cut = false;  // the page ends early, because it would be too long
};

class Store {
 public:
  explicit Store(pg::Pool& database, const chassis::Quotas& quotas = chassis::Quotas::none())
      : database_(database), quotas_(quotas) {}

  awaitable<Page> list(model::Uuid organization, Filter filter, std::function<void(std::size_t)> expect);
  awaitable<std::optional<Found>> find(model::Uuid organization, model::Uuid id);

  // Whether the time zone database has this name.
  awaitable<bool> is_zone(std::string name);
  // Returns the moment of a local time in a zone.
  awaitable<model::Timestamp> moment(std::string local, std::string zone);

  // Calls in the caller's transaction.

  // Write the members that users edit, and emit name, lists and tags.
  awaitable<void> create(pg::Transaction& transaction, model::Uuid organization, const model::Campaign& campaign);
  awaitable<void> update(pg::Transaction& transaction, model::Uuid organization, const model::Campaign& campaign);
  // Locks the campaign until the transaction ends. Omits progress and links.
  awaitable<std::optional<Found>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  // The next four require the lock. prepare(): the campaign has these URLs and no others.
  awaitable<void> prepare(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                          std::string phone_number_id, const std::vector<std::string>& urls);
  // Lets a campaign that is about to start wait for so long, unless its time is later.
  awaitable<void> delay(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                        std::chrono::seconds delay);
  // Takes back what prepare() and delay() have set, but for URLs, which are not shown before the next start.
  awaitable<void> take_back(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  awaitable<bool> move(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                       model::CampaignStatus from, model::CampaignStatus to, std::string reason);
  // Hides the campaign at once; a background job removes recipients and their activity. Its figures stay.
  awaitable<void> remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  awaitable<Found> see(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

 private:
  pg::Pool& database_;
  const chassis::Quotas& quotas_;
  std::set<std::string, std::less<>> zones_;  // loaded on first use
};

}  // namespace parley::conversations::campaigns
