#pragma once
#include <map>

#include "common/async/single_flight.hpp"
#include "conversations/channel/templates/store.hpp"

namespace parley::conversations::templates {

// What came of bringing a list up to date.
struct Refreshed {
  std::optional<std::string> business_account_id{};  // whose list is to be shown; nullopt: the organization has none
  std::string away{};                                // who could not be asked: organizations, channel; "" for nobody
  bool is_there = false;                             // such a list is kept, an old one if somebody is away
};

// Brings what is kept of the channel's lists up to date when somebody wants to see or to use them and they are old.
class Catalogue {
 public:
  static constexpr std::chrono::minutes kGood{5};          // for people to look at
  static constexpr std::chrono::seconds kGoodToRefuse{5};  // a campaign whose template is not as it must be
  static constexpr std::chrono::minutes kGoodLimit{60};    // for campaigns to keep to the messaging limit

  Catalogue(channel::Accounts& accounts, channel::Client& channel, Store& store);

  awaitable<Refreshed> refresh(model::Uuid organization, Kind kind, std::chrono::seconds good_for = kGood);
  // The business account whose list is to be shown; nullopt: the organization has none. What was out of reach, so that
  // the list may be an old one, or nothing, is noted in the call.
  awaitable<std::optional<std::string>> refresh(chassis::Call& call, Kind kind);

 private:
  awaitable<bool> ask(const channel::Account& account, Kind kind, model::Timestamp now);
  awaitable<bool> ask_once(const channel::Account& account, Kind kind, model::Timestamp now);

  channel::Accounts& accounts_;
  channel::Client& channel_;
  Store& store_;
  using Key = std::pair<model::Uuid, Kind>;
  async::SingleFlight<Key, bool> asking_;
  std::map<Key, http::Clock::time_point> failed_;  // until when it is not asked for again
};

}  // namespace parley::conversations::templates
