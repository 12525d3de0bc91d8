#pragma once
// Opt-outs and opt-ins that contacts write in conversations: STOP and START.
#include <span>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"

namespace parley::contacts::identities {

using boost::asio::awaitable;

// Applies conversations' events (events::ConsumerWork). An opt-out sets OptedOut unless the contact is Blocked. The
// newer of status and event wins; a tie goes to the event. Emits nothing. Throws events::BadEvent.
awaitable<void> apply_conversations(pg::Transaction& transaction, std::span<const events::Event> events);

// After a new epoch of that feed, where either side may have lost events of the other: emits all statuses and asks
// conversations to compare its own. See events::ContactsUnsure.
awaitable<void> emit_all(pg::Transaction& transaction);

}  // namespace parley::contacts::identities
