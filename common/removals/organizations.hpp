#pragma once
// Organizations that were deleted, as organizations' feed tells of them.
#include <span>

#include "common/removals/worker.hpp"

namespace parley::removals {

// events::ConsumerWork::apply for a service that holds rows of organizations: begins their removal. Throws BadEvent.
awaitable<void> apply_organizations(pg::Transaction& transaction, std::span<const events::Event> events);

// events::ConsumerWork::forget for deletions. A feed that begins anew, as after its database was restored from a
// backup, tells of its deletions again; those that it no longer knows of are not undone here, as nothing could bring
// the rows back. So nothing is forgotten, and what is told twice is removed twice, which finds nothing.
awaitable<void> forget_nothing(pg::Transaction& transaction);

// The kind of removal that apply_organizations() begins, done by these steps. A request that came before the deletion
// may still be writing: identities hold for a minute.
Kind organizations(std::vector<Step> steps);

}  // namespace parley::removals
