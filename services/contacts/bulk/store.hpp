#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/pg/pool.hpp"
#include "contacts/bulk/checks.hpp"
#include "contacts/bulk/shapes.hpp"
#include "contacts/contacts/store.hpp"
#include "contacts/quotas.hpp"
#include "contacts/segments/store.hpp"

namespace parley::contacts::bulk {

using boost::asio::awaitable;

// Lease of a change, from its claim or its last step; after it another worker may claim the change.
inline constexpr std::int64_t kLeaseSeconds = 60;

struct Page {
  std::vector<BulkChangeSummary> bulkChanges;
  std::int64_t total = 0;
};

// A change whose contacts have been counted.
struct Counted {
  Selection contacts;
  ActionBody action;
  std::int64_t total = 0;
  model::Uuid newest;
};

// What a change does.
ActionType type_of(const BulkChangeSummary& change);

enum class Stepped {
  done,   // there is more
  ended,  // finished or failed
  lost    // nothing done: another worker has the change, or it was cancelled
};

class Store {
 public:
  Store(pg::Pool& database, contacts::Store& contacts, segments::Store& segments,
        const chassis::Quotas& quotas = chassis::Quotas::none())
      : database_(database), contacts_(contacts), segments_(segments), quotas_(quotas) {}

  // Resolves what the body names, and counts. Throws a Problem 400 for what does not exist.
  awaitable<Counted> count(model::Uuid organization, StartBody body, segments::AllNamed named);
  // Queues the change as of the commit; makes the tags that are not there. Throws a Problem 409 if the organization has
  // too many changes that have not ended.
  awaitable<BulkChange> start(pg::Transaction& transaction, model::Uuid organization, Counted change);

  awaitable<std::optional<BulkChange>> find(model::Uuid organization, model::Uuid id);
  awaitable<Page> list(model::Uuid organization, Filter filter);
  // Cancels a change that has not ended; what was changed stays so. nullopt if it does not exist.
  awaitable<std::optional<BulkChange>> cancel(pg::Transaction& transaction, model::Uuid organization, model::Uuid id);

  // ---- processing ----

  // Claims the next change without a live lease; organizations take turns.
  awaitable<std::optional<Job>> claim(model::Uuid owner);
  // Looks at the next contacts and changes at most `most` of those that match, in one transaction with the new
  // position.
  awaitable<Stepped> step(Job& job, std::size_t most);
  // Sets the change to Failed.
  awaitable<void> fail(const Job& job, std::string why);
  // Releases the lease, so that another worker can continue at once.
  awaitable<void> release(const Job& job);
  // As release(), after an error: it goes on at the same place, later with each attempt.
  awaitable<void> try_later(const Job& job);
  // Forgets some of those that ended long ago. False: there are no more.
  awaitable<bool> sweep();
  // Releases the lease if another organization's change is waiting; returns whether it did.
  awaitable<bool> give_way(const Job& job);
  // Reads of this process, of any kind, that have been sent or wait to be.
  std::size_t reads_under_way() const;

 private:
  awaitable<contacts::Filter> narrowed(model::Uuid organization, const Selection& selection);
  awaitable<void> name_tags(model::Uuid organization, std::vector<std::string>& names, bool may_be_new,
                            http::Faults& faults);
  awaitable<void> resolve(model::Uuid organization, Counted& change);
  pg::Pool& database_;
  contacts::Store& contacts_;
  segments::Store& segments_;
  const chassis::Quotas& quotas_;
};

}  // namespace parley::contacts::bulk
