#pragma once
// How many campaigns a list was sent.
#include <span>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"

namespace parley::contacts::lists {

using boost::asio::awaitable;

// What the consumer of conversations' feed does (events::ConsumerWork): a campaign that starts for the first time
// counts in numberOfCampaignsSent of each list that it is for, once, however often that is told. It locks lists: before
// whoever locks contacts or tallies. Throws events::BadEvent.
awaitable<void> apply_conversations(pg::Transaction& transaction, std::span<const events::Event> events);

}  // namespace parley::contacts::lists
