#pragma once
// Removal of deleted organizations, as reported by organizations' feed.
#include <span>

#include "common/removals/worker.hpp"

namespace parley::removals {

// events::ConsumerWork::apply for a service with rows of organizations: starts their removal. Throws BadEvent.
awaitable<void> apply_organizations(pg::Transaction& transaction, std::span<const events::Event> events);

// events::ConsumerWork::forget for deletions: does nothing. A restored feed repeats its deletions, which is harmless;
// deletions that it lost are not undone, as removed rows cannot be brought back.
awaitable<void> forget_nothing(pg::Transaction& transaction);

// The kind of removal started by apply_organizations(), with these steps. It waits for requests from before the
// deletion, which may write for a minute, the lifetime of identities.
Kind organizations(std::vector<Step> steps);

}  // namespace parley::removals
