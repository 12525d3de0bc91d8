#pragma once
#include <boost/asio/awaitable.hpp>
#include <span>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"

namespace parley::analytics::rollups {

using boost::asio::awaitable;

// What the consumers of conversations' and contacts' feeds do (events::ConsumerWork, with events::Dropped::made_up).
// Adds the events' differences to the rollups. Throws events::BadEvent.
awaitable<void> apply_conversations(pg::Transaction& transaction, std::span<const events::Event> events);
awaitable<void> apply_contacts(pg::Transaction& transaction, std::span<const events::Event> events);
// Empties the rollups if the feed is read from its beginning; see coverage.hpp.
awaitable<void> forget_conversations(pg::Transaction& transaction);
awaitable<void> forget_contacts(pg::Transaction& transaction);

}  // namespace parley::analytics::rollups
