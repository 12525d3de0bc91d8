#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "contacts/imports/rows.hpp"
#include "contacts/imports/shapes.hpp"
#include "contacts/quotas.hpp"

namespace parley::contacts::imports {

using boost::asio::awaitable;

// From claiming an import, or applying a batch of it, to the next batch; then another may go on.
inline constexpr std::int64_t kLeaseSeconds = 30;
// The octets of a staged chunk, all but the last of a file.
inline constexpr std::int64_t kChunkOctets = 256 * 1024;

// The parameters of a page, checked.
struct Filter {
  http::Paging paging{};
  bool descending = true;
  std::optional<Status> status{};
  std::optional<model::Uuid> after{};

  std::string_view order_name() const { return descending ? "createdAt desc" : "createdAt asc"; }
};
struct Page {
  std::vector<ImportSummary> imports;
  std::int64_t total = 0;
};

// What became of rows that were to be applied.
enum class Applied {
  done,
  lost,      // nothing: another goes on with the import, or it was cancelled
  no_list,   // nothing: the list is gone
  refused,   // nothing: it is beyond a quota, as Job::refusal says
  gave_way,  // all of them, and the import was given back for another organization's
};

class Store {
 public:
  explicit Store(pg::Pool& database, const chassis::Quotas& quotas = chassis::Quotas::none())
      : database_(database), quotas_(quotas) {}

  // ---- the upload, which ends by itself when it stops ----

  // Problem 400 when there is no such list, 409 when too many imports of the organization are under way.
  awaitable<model::Uuid> open(model::Uuid organization, NewImport import);
  // Chunk `number`, from 0; the same may be staged again. Problem 409 when the upload was cancelled or took too long
  // since the last one.
  awaitable<void> stage(model::Uuid organization, model::Uuid id, std::int64_t number, std::string_view octets);
  // Leaves nothing of it.
  awaitable<void> discard(model::Uuid organization, model::Uuid id);
  // To be worked off from the commit on. Problem 409 as stage().
  awaitable<Import> enqueue(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

  // ---- looking at them ----

  awaitable<std::optional<Import>> find(model::Uuid organization, model::Uuid id);
  awaitable<Page> list(model::Uuid organization, Filter filter);
  // Ends it; its rows that were applied stay. One that has ended stays as it is. nullopt when there is none.
  awaitable<std::optional<Import>> cancel(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

  // ---- working them off ----

  // The next one that nobody works on, for `owner`, who has half a minute for each batch. Organizations take turns.
  awaitable<std::optional<Job>> claim(model::Uuid owner);
  // A chunk of its file; nullopt when the import is another's by now.
  awaitable<std::optional<std::string>> chunk(const Job& job, std::int64_t number);
  // Applies the rows, counts them in the job's progress and moves it to where they end, all or nothing. `last`: the
  // import is Finished then.
  awaitable<Applied> apply(Job& job, Rows rows, bool last);
  // Ends it where it is.
  awaitable<void> fail(const Job& job, std::string why);
  // Gives it back where it is.
  awaitable<void> release(const Job& job);
  // The same, if another organization's import waits. False: it was not given back.
  awaitable<bool> give_way(const Job& job);
  // Removes what ended imports and given-up uploads left, a bounded part at a time; false when nothing was there.
  awaitable<bool> sweep();

 private:
  awaitable<bool> lock(pg::Transaction& transaction, const Job& job, bool& has_list);
  struct Touched;
  awaitable<Touched> put(pg::Transaction& transaction, const Job& job, Rows& rows);
  pg::Pool& database_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::contacts::imports
