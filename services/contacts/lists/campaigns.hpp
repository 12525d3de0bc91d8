#pragma once
// Counts the campaigns that were sent to a list.
#include <span>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"

namespace parley::contacts::lists {

using boost::asio::awaitable;

// Applies conversations' events (events::ConsumerWork): a campaign's first start counts once in its lists'
// numberOfCampaignsSent. Call it before contacts and tallies are locked: it locks lists. Throws events::BadEvent.
awaitable<void> apply_conversations(pg::Transaction& transaction, std::span<const events::Event> events);

}  // namespace parley::contacts::lists
