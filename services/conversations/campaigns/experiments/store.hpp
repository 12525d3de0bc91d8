#pragma once
#include "common/model/campaign.hpp"
#include "common/pg/pool.hpp"
#include "conversations/campaigns/experiments/winner.hpp"

namespace parley::conversations::experiments {

using boost::asio::awaitable;

// A campaign, as far as its experiment is concerned.
struct Found {
  model::CampaignStatus status = model::CampaignStatus::Draft;
  std::string version;        // of the campaign
  std::string name;           // of the campaign
  std::int64_t variants = 0;  // besides the campaign's own message
  std::optional<Experiment> experiment;
};

class Store {
 public:
  explicit Store(pg::Pool& database) : database_(database) {}

  // nullopt: there is no such campaign.
  awaitable<std::optional<Found>> find(model::Uuid organization, model::Uuid campaign);
  awaitable<std::optional<Found>> lock(pg::Transaction& transaction, model::Uuid organization, model::Uuid campaign);
  // nullopt: it has none from now on.
  awaitable<void> set(pg::Transaction& transaction, model::Uuid organization, model::Uuid campaign,
                      std::optional<Plan> plan);

  // To a campaign that was made as another's copy, if that one has any.
  static awaitable<void> copy(pg::Transaction& transaction, model::Uuid organization, model::Uuid from, model::Uuid to);

  // The rest of the recipients gets this variant. False: it was decided already, or the campaign is over.
  static awaitable<bool> decide(pg::Transaction& transaction, model::Uuid organization, model::Uuid campaign,
                                std::int64_t winner, DecidedBy by);

  // For the worker; each one transaction. How many there were.
  awaitable<std::int64_t> note_tested(std::int64_t most);  // campaigns whose test part was sent
  awaitable<std::int64_t> decide_due(std::int64_t most);   // campaigns that the rule decided

 private:
  pg::Pool& database_;
};

}  // namespace parley::conversations::experiments
