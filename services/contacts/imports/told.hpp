#pragma once
#include "common/events/import_changes.hpp"
#include "common/pg/batch.hpp"
#include "contacts/imports/shapes.hpp"

namespace parley::contacts::imports {

// Adds the event that an import has another status: Queued, or one of its ends.
void tell_status(pg::Batch& batch, const model::Uuid& organization, const ImportSummary& import);
void tell_status(pg::Batch& batch, const Job& job, const Progress& progress, events::ImportStatus status,
                 std::string failure = {});
// Adds the event that rows were applied, unless one was told in the second before.
void tell_progress(pg::Batch& batch, Job& job, const Progress& progress);

}  // namespace parley::contacts::imports
