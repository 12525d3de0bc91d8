#include "contacts/imports/told.hpp"

#include <algorithm>

#include "common/events/event.hpp"
#include "common/events/outbox/sql.hpp"

namespace parley::contacts::imports {

namespace {

constexpr std::chrono::seconds kBetween{1};
constexpr std::int64_t kMostUnfinished = 99;  // percent, as in answer.fragment

template <class Change>
void add(pg::Batch& batch, events::ImportState state) {
  events::Changes changes;
  changes.add(Change{std::move(state)});
  batch.add(events::outbox::append, changes.json());
}

events::ImportStatus told(Status status) {
  switch (status) {
    case Status::Uploading:
    case Status::Queued:
      return events::ImportStatus::Queued;
    case Status::Running:
      return events::ImportStatus::Running;
    case Status::Finished:
      return events::ImportStatus::Finished;
    case Status::Failed:
      return events::ImportStatus::Failed;
    case Status::Cancelled:
      break;
  }
  return events::ImportStatus::Cancelled;
}

events::ImportState state_of(const Job& job, const Progress& now, events::ImportStatus status, std::string failure) {
  const bool is_finished = status == events::ImportStatus::Finished;
  const auto percent =
      is_finished ? 100 : std::min(kMostUnfinished, now.position * 100 / std::max<std::int64_t>(job.size, 1));
  return {job.organization_id, job.id,      status,      std::move(failure), job.list_id, now.rows_read,
          now.imported,        now.updated, now.skipped, now.failed,         percent};
}

}  // namespace

void tell_status(pg::Batch& batch, const model::Uuid& organization, const ImportSummary& import) {
  add<events::ImportStatusChanged>(
      batch, {organization, import.uniqueId, told(import.status), import.failure, import.listId, import.rowsRead,
              import.imported, import.updated, import.skipped, import.failed, import.percent});
}

void tell_status(pg::Batch& batch, const Job& job, const Progress& progress, events::ImportStatus status,
                 std::string failure) {
  add<events::ImportStatusChanged>(batch, state_of(job, progress, status, std::move(failure)));
}

void tell_progress(pg::Batch& batch, Job& job, const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (now < job.next_told) return;
  job.next_told = now + kBetween;
  add<events::ImportProgressed>(batch, state_of(job, progress, events::ImportStatus::Running, {}));
}

}  // namespace parley::contacts::imports
