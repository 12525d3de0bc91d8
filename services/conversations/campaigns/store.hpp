#pragma once
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <set>

#include "common/chassis/quotas.hpp"
#include "common/pg/pool.hpp"
#include "conversations/campaigns/shapes.hpp"

namespace parley::conversations::campaigns {

using boost::asio::awaitable;

inline constexpr std::string_view kQuota = "campaigns";  // of those that have not ended; see chassis/quotas.hpp

// The kind under which what a deleted campaign leaves is removed in the background; its figures and links stay.
inline constexpr auto kDeletion = "campaign";

// A campaign as this service knows it: its tags are called what they were when it got them.
struct Found {
  model::Campaign campaign;
  bool ahead = false;  // its schedule is, by the database's clock
  bool held = false;   // only an operator can let it go on: its status's reason says why
  std::string version;
};

struct Page {
  std::vector<model::Campaign> campaigns;
  std::int64_t total = 0;
  bool cut = false;  // fewer than there are, as the page would be too long
};

class Store {
 public:
  explicit Store(pg::Pool& database, const chassis::Quotas& quotas = chassis::Quotas::none())
      : database_(database), quotas_(quotas) {}

  awaitable<Page> list(model::Uuid organization, Filter filter, std::function<void(std::size_t)> expect);
  awaitable<std::optional<Found>> find(model::Uuid organization, model::Uuid id);

  // Whether it is a name of the time zone database.
  awaitable<bool> is_zone(std::string name);
  // When clocks of that zone show the date and time.
  awaitable<model::Timestamp> moment(std::string local, std::string zone);

  // ---- in the caller's transaction ----

  // Makes or writes what of a campaign is for members to say, and tells what it is called and whom it is for.
  awaitable<void> create(pg::Transaction& transaction, model::Uuid organization, const model::Campaign& campaign);
  awaitable<void> update(pg::Transaction& transaction, model::Uuid organization, const model::Campaign& campaign);
  // Keeps others from changing it until the transaction ends. Without progress and links.
  awaitable<std::optional<Found>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  // These want it locked.
  awaitable<void> prepare(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                          std::string phone_number_id, const std::vector<std::string>& urls);
  awaitable<bool> move(pg::Transaction& transaction, model::Uuid organization, model::Uuid id,
                       model::CampaignStatus from, model::CampaignStatus to, std::string reason);
  // Out of sight at once; its recipients and what they did are removed in the background. Its figures stay.
  awaitable<void> remove(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);
  awaitable<Found> see(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

 private:
  pg::Pool& database_;
  const chassis::Quotas& quotas_;
  std::set<std::string, std::less<>> zones_;  // once they were asked for
};

}  // namespace parley::conversations::campaigns
