#pragma once
#include <map>
#include <tuple>

#include "common/async/single_flight.hpp"
#include "conversations/channel/templates/store.hpp"

namespace parley::conversations::templates {

struct Refreshed {
  std::optional<std::string> business_account_id{};  // the account whose list to show; nullopt: none is connected
  std::string away{};                                // the unreachable service: organizations or channel; "" for none
  bool is_there = false;                             // a list of this account is stored, possibly an old one
};

// Refreshes the stored copies of the channel's lists on demand, if they are too old.
class Catalogue {
 public:
  static constexpr std::chrono::minutes kGood{5};          // for display
  static constexpr std::chrono::seconds kGoodToRefuse{5};  // before a campaign is refused because of its template
  static constexpr std::chrono::minutes kGoodLimit{60};    // for the messaging limit of campaigns

  Catalogue(channel::Accounts& accounts, channel::Client& channel, Store& store);

  awaitable<Refreshed> refresh(model::Uuid organization, Kind kind, std::chrono::seconds good_for = kGood);
  // Notes an unreachable service in the call, since the list may then be old or empty.
  awaitable<std::optional<std::string>> refresh(chassis::Call& call, Kind kind);

 private:
  awaitable<bool> ask(const channel::Account& account, Kind kind, model::Timestamp now);
  awaitable<bool> ask_once(const channel::Account& account, Kind kind, model::Timestamp now);

  channel::Accounts& accounts_;
  channel::Client& channel_;
  Store& store_;
  // With the business account: an organization that connects another one does not wait for the old one's list.
  using Key = std::tuple<model::Uuid, std::string, Kind>;
  async::SingleFlight<Key, bool> asking_;
  std::map<Key, http::Clock::time_point> failed_;  // no request before this time
};

}  // namespace parley::conversations::templates
