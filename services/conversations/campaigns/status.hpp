#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/events/campaign_changes.hpp"
#include "common/events/event.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::campaigns {

using boost::asio::awaitable;

// A campaign goes from one status to another in its caller's transaction, which then tells the change. Its row is
// locked after messages, what is to be sent, suppressions, numbers, targets, chunks and engagement, before counts and
// events. False: it was not in `from`, and nothing was done.
awaitable<bool> move(pg::Transaction& transaction, const model::Uuid& organization, const model::Uuid& campaign,
                     model::CampaignStatus from, model::CampaignStatus to, std::string reason,
                     events::Changes& changes);

// Running -> Paused, for what the channel said.
awaitable<bool> pause(pg::Transaction& transaction, const model::Uuid& organization, const model::Uuid& campaign,
                      std::string reason, events::Changes& changes);

// Why a Running campaign waits; "" when it goes on. Others' have nothing changed; nor is anything written or locked
// when it is what it was.
awaitable<void> set_reason(pg::Transaction& transaction, const model::Uuid& organization, const model::Uuid& campaign,
                           std::string reason);

}  // namespace parley::conversations::campaigns
