#pragma once
// What contacts did in conversations: when they last wrote, when a campaign's message was last sent to them, and what
// they did with it. For conditions of segments.
#include <span>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"

namespace parley::contacts::activity {

using boost::asio::awaitable;

// Applies conversations' events (events::ConsumerWork): repeated or in another order they leave the same rows. What is
// told of a contact that was merged goes to the one it was merged into; of contacts that are gone nothing is kept.
// Begins to remove what is known for too long. Call it before contacts are changed: it locks them in the order of their
// ids. Throws events::BadEvent.
awaitable<void> apply_conversations(pg::Transaction& transaction, std::span<const events::Event> events);

// Adds what `gone` did, and what will be told of it, to what `into` did; the rows of `gone` go with the contact.
void add_merge(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& gone, const model::Uuid& into);

}  // namespace parley::contacts::activity
