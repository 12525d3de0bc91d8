#pragma once
#include <array>
#include <map>
#include <span>

#include "common/events/campaign_changes.hpp"
#include "common/events/event.hpp"

namespace parley::analytics::rollups {

// A quarter of an hour: milliseconds since 1970, a multiple of kQuarter.
inline constexpr std::int64_t kQuarter = 15 * 60 * 1000;
model::Timestamp quarter_of(model::Timestamp moment);

// The columns of the rollup tables, in their order.
enum Count : std::size_t {
  recipients,
  sent,
  delivered,
  read,
  failed,
  undelivered,
  replied,
  engaged,
  replies,
  conversations,
  replies_at,
  clicks_at
};
inline constexpr std::size_t kCounts = 12;
using Counts = std::array<std::int64_t, kCounts>;

// What a batch of events adds to the rollups. Sorted, so that two that write at once lock rows in one order.
class Differences {
 public:
  struct Key {
    model::Uuid organization_id;
    model::Uuid campaign_id;  // nil for the organization as a whole
    model::Timestamp bucket;
    auto operator<=>(const Key&) const = default;
  };

  // Adds an event's changes. Throws events::BadEvent, and then this is of no use any more.
  void add(const events::Event& event);
  const std::map<Key, Counts>& of_campaigns() const { return campaigns_; }
  std::map<Key, Counts> of_organizations() const;

 private:
  void add(const events::CampaignMessages& change);
  void add(const events::CampaignConversations& change);
  void add(const events::CampaignReply& change);
  void add(const events::CampaignClick& change);
  Counts& at(const model::Uuid& organization, const model::Uuid& campaign, model::Timestamp moment) {
    return campaigns_[{organization, campaign, quarter_of(moment)}];
  }
  std::map<Key, Counts> campaigns_;
};

}  // namespace parley::analytics::rollups
