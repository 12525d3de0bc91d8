#include "contacts/lists/campaigns.hpp"

#include "common/events/campaign_changes.hpp"
#include "common/events/changes.hpp"
#include "contacts/lists/sql.hpp"

namespace parley::contacts::lists {

awaitable<void> apply_conversations(pg::Transaction& transaction, std::span<const events::Event> events) {
  std::vector<events::CampaignStatusChanged> started;
  for (const auto& event : events)
    for (const auto& change : events::changes_of(event))
      if (auto told = change.as<events::CampaignStatusChanged>(); told && told->first && !told->listIds.empty())
        started.push_back(std::move(*told));
  if (started.empty()) co_return;

  pg::Batch adds;
  for (const auto& campaign : started)
    adds.add(sql::add_campaign, campaign.organizationId, campaign.listIds, campaign.campaignId);
  const auto results = co_await transaction.run(std::move(adds));
  pg::Batch counts;
  for (std::size_t i = 0; i < started.size(); ++i)
    counts.add(sql::count_campaign, started[i].organizationId, results.rows<model::Uuid>(i));
  co_await transaction.run(std::move(counts));
}

}  // namespace parley::contacts::lists
