#pragma once
#include <boost/asio/awaitable.hpp>
#include <span>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"

namespace parley::analytics::rollups {

using boost::asio::awaitable;

// What the consumer of conversations' feed does (events::ConsumerWork).
// Adds the events' differences to the rollups. Throws events::BadEvent.
awaitable<void> apply(pg::Transaction& transaction, std::span<const events::Event> events);
// Empties the rollups.
awaitable<void> forget(pg::Transaction& transaction);

}  // namespace parley::analytics::rollups
