#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/events/campaign_changes.hpp"
#include "common/events/event.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::campaigns {

using boost::asio::awaitable;

// Moves a campaign from one status to another in the caller's transaction, and emits the change. Locks its row after
// messages, queue, suppressions, numbers, targets, chunks and engagement, before counts and events. False: the status
// was not `from`, and nothing was done.
awaitable<bool> move(pg::Transaction& transaction, const model::Uuid& organization, const model::Uuid& campaign,
                     model::CampaignStatus from, model::CampaignStatus to, std::string reason,
                     events::Changes& changes);

// Running -> Paused, because of a refusal of the channel.
awaitable<bool> pause(pg::Transaction& transaction, const model::Uuid& organization, const model::Uuid& campaign,
                      std::string reason, events::Changes& changes);

// Sets why a Running campaign waits; "": it does not. Does nothing, without a lock, if not Running or unchanged.
awaitable<void> set_reason(pg::Transaction& transaction, const model::Uuid& organization, const model::Uuid& campaign,
                           std::string reason);

}  // namespace parley::conversations::campaigns
