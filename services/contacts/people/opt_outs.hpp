#pragma once
// What contacts say of themselves in conversations: STOP and START.
#include <span>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"

namespace parley::contacts::people {

using boost::asio::awaitable;

// What the consumer of conversations' feed does (events::ConsumerWork). An opted-out contact is OptedOut, unless it is
// Blocked, which says more. Of what is said here and there the newer word holds; what was said at the same moment there
// too, as conversations sees it the same way. Nothing is told of it: conversations know. Throws events::BadEvent.
awaitable<void> apply_conversations(pg::Transaction& transaction, std::span<const events::Event> events);

// ... and when that feed is another one: it may have lost what it was told, and this service what it was told by it. So
// all statuses are told again, and conversations are asked to compare theirs. See events::ContactsUnsure.
awaitable<void> emit_all(pg::Transaction& transaction);

}  // namespace parley::contacts::people
