#include "conversations/campaigns/status.hpp"

#include "conversations/campaigns/sql.hpp"

namespace parley::conversations::campaigns {

using model::CampaignStatus;

namespace {

struct Moved {
  bool first = false;
  std::vector<model::Uuid> listIds;
};
BOOST_DESCRIBE_STRUCT(Moved, (), (first, listIds))

}  // namespace

awaitable<bool> move(pg::Transaction& transaction, const model::Uuid& organization, const model::Uuid& campaign,
                     CampaignStatus from, CampaignStatus to, std::string reason, events::Changes& changes) {
  const auto results = co_await transaction.run(pg::Batch(sql::move, organization, campaign, from, to, reason));
  auto moved = results.optional<Moved>();
  if (!moved) co_return false;
  changes.add(events::CampaignStatusChanged{organization, campaign, from, to, std::move(reason), moved->first,
                                            std::move(moved->listIds)});
  co_return true;
}

awaitable<bool> pause(pg::Transaction& transaction, const model::Uuid& organization, const model::Uuid& campaign,
                      std::string reason, events::Changes& changes) {
  co_return co_await move(transaction, organization, campaign, CampaignStatus::Running, CampaignStatus::Paused,
                          std::move(reason), changes);
}

awaitable<void> set_reason(pg::Transaction& transaction, const model::Uuid& organization, const model::Uuid& campaign,
                           std::string reason) {
  co_await transaction.run(pg::Batch(sql::set_reason, organization, campaign, reason));
}

}  // namespace parley::conversations::campaigns
