#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "contacts/imports/rows.hpp"
#include "contacts/imports/shapes.hpp"
#include "contacts/quotas.hpp"

namespace parley::contacts::imports {

using boost::asio::awaitable;

// Lease of an import, from its claim or its last batch; after it another worker may claim the import.
inline constexpr std::int64_t kLeaseSeconds = 30;
// Octets of each staged chunk but the last.
inline constexpr std::int64_t kChunkOctets = 256 * 1024;

// How long failed rows are kept after their import has ended, and how many octets of an organization: beyond, those of
// the oldest imports go first.
inline constexpr std::int64_t kFailedDays = 30;
inline constexpr std::int64_t kMaxFailedOfOrganization = 256 * 1024 * 1024;

struct Filter : http::CreationFilter {
  std::optional<Status> status;
};
struct Page {
  std::vector<ImportSummary> imports;
  std::int64_t total = 0;
};

enum class Applied {
  done,
  lost,      // nothing applied: another worker has the import, or it was cancelled
  no_list,   // nothing applied: the list was deleted
  refused,   // nothing applied: over quota, see Job::refusal
  gave_way,  // applied, and the import released for another organization's
};

class Store {
 public:
  explicit Store(pg::Pool& database, const chassis::Quotas& quotas = chassis::Quotas::none())
      : database_(database), quotas_(quotas) {}

  // ---- the upload, which expires when it stalls ----

  // Throws a Problem 400 if the list does not exist, 409 if the organization has too many unfinished imports.
  awaitable<model::Uuid> open(model::Uuid organization, NewImport import);
  // Stages chunk `number`, from 0; idempotent. Throws a Problem 409 if the upload was cancelled or has expired.
  awaitable<void> stage(model::Uuid organization, model::Uuid id, std::int64_t number, std::string_view octets);
  // Ends the upload; sweep() removes its data.
  awaitable<void> discard(model::Uuid organization, model::Uuid id);
  // Queues the import as of the commit. Throws a Problem 409 like stage().
  awaitable<Import> enqueue(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

  // ---- reading ----

  awaitable<std::optional<Import>> find(model::Uuid organization, model::Uuid id);
  awaitable<Page> list(model::Uuid organization, Filter filter);
  // The names of its file's columns; nullopt if it does not exist.
  awaitable<std::optional<std::vector<std::string>>> headers(model::Uuid organization, model::Uuid id);
  // The chunk of failed rows behind the one that begins at the line `after`, which becomes this one's; none at the end.
  awaitable<std::vector<FailedRow>> failed_rows(model::Uuid organization, model::Uuid id, std::int64_t& after);
  // Appends events to the outbox.
  awaitable<void> emit(model::RawJson told);
  // Cancels an unfinished import; applied rows stay. nullopt if it does not exist.
  awaitable<std::optional<Import>> cancel(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

  // ---- processing ----

  // Claims the next import without a live lease; organizations take turns.
  awaitable<std::optional<Job>> claim(model::Uuid owner);
  // A chunk of the file; nullopt if it is gone because another worker has the import.
  awaitable<std::optional<std::string>> chunk(const Job& job, std::int64_t number);
  // Applies rows, counts and the new position in one transaction, and updates job.progress. `last` finishes the import.
  awaitable<Applied> apply(Job& job, Rows rows, bool last);
  // Has the planner learn how much each organization has by now: until autovacuum comes, it takes one that has just
  // begun for empty, and reads all of it to find one contact. Does nothing where another one does so already.
  awaitable<void> analyze();
  // Sets the import to Failed.
  awaitable<void> fail(const Job& job, std::string why);
  // Releases the lease, so that another worker can continue at once.
  awaitable<void> release(const Job& job);
  // Releases the lease if another organization's import is waiting; returns whether it did.
  awaitable<bool> give_way(const Job& job);
  // Removes a bounded number of chunks of ended imports, of expired uploads and of failed rows that were kept long
  // enough; false if there were none.
  awaitable<bool> sweep();
  // Reads of this process, of any kind, that have been sent or wait to be.
  std::size_t reads_under_way() const;

 private:
  awaitable<bool> lock(pg::Transaction& transaction, const Job& job, bool& has_list);
  struct Touched;
  awaitable<Touched> put(pg::Transaction& transaction, const Job& job, Rows& rows);
  pg::Pool& database_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::contacts::imports
