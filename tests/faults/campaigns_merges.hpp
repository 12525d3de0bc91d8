#pragma once
// A campaign to pairs of contacts that turn out to be one person each while it is sent.
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tests/e2e/campaign_bed.hpp"

namespace parley::faults {

// One contact of a pair is known by the channel's user id alone, the other by a number alone. A webhook that bears both
// makes them one, and from then on that person must get no second message of the campaign.
class Merges {
 public:
  using Connect = std::function<std::unique_ptr<support::Sql>(const std::string& service)>;

  // Makes the pairs' contacts, the numbers being those of the people `first` .. `first + pairs - 1`, and the campaign.
  Merges(e2e::CampaignScene& scene, Connect connect, int first, int pairs);
  const std::string& campaign() const { return campaign_; }

  // The next pair becomes one person: returns once conversations knows that. False: there is none left.
  bool merge_next();

  // Adds failed checks unless each contact has a fate, and each merged pair got what it had got or was being sent when
  // it was merged, or else one message. `accepted`: how often, by number without plus or by user id; the pairs' are
  // taken out of it. Returns how many messages the channel accepted for pairs.
  std::int64_t judge(std::map<std::string, std::int64_t>& accepted);
  std::int64_t merged() const { return merged_; }

  // Whether the channel knows somebody of a pair by this number or user id.
  bool is_for(const std::string& recipient) const;

 private:
  struct Pair {
    std::string user_id, number;  // the number without its plus
    std::int64_t made = -1;       // messages when it was known to be one person; -1: it is two
    std::string messages{};       // the ids of those that are for it, made or not: an array
  };
  void note_targets(Pair& pair);
  std::int64_t messages_of(const Pair& pair);
  std::string story_of(const Pair& pair);
  boost::json::array make_strangers(std::span<const Pair> pairs);

  e2e::CampaignScene& scene_;
  const Connect connect_;
  std::vector<Pair> pairs_;
  std::string campaign_;
  std::size_t merged_ = 0;
};

}  // namespace parley::faults
