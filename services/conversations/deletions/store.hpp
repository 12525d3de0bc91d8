#pragma once
#include <span>

#include "common/removals/worker.hpp"

namespace parley::conversations::deletions {

using boost::asio::awaitable;

// What the consumer of contacts' feed does (events::ConsumerWork): the conversations of contacts that were deleted
// become tombstones at once, and their messages lose what was said in the background; the rows of tags that were
// deleted are removed there too. Applied twice, it finds nothing more to do. Throws events::BadEvent.
awaitable<void> apply_contacts(pg::Transaction& transaction, std::span<const events::Event> events);

// What this service removes in the background.
std::vector<removals::Kind> kinds();

}  // namespace parley::conversations::deletions
