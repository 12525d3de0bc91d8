#pragma once
// What contacts tells, applied here.
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "common/events/event.hpp"
#include "common/model/contact.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::reconciliation {

using boost::asio::awaitable;

// What the consumer of contacts' feed does (events::ConsumerWork):
//   - the conversations of contacts that were deleted become tombstones at once; what was said, what was to be sent and
//     what else is kept of them goes in the background; so do the rows of tags that were deleted.
//   - what is here for a contact that was merged into another goes over to that in the background: see deletions.
//   - a status that members gave decides whom campaigns leave out. Of what they say and what contacts say here the
//   newer
//     word holds, at the same moment the contact's.
// Applied twice, it finds nothing more to do. Throws events::BadEvent.
awaitable<void> apply_feed(pg::Transaction& transaction, std::span<const events::Event> events);

// ... and what it does when that feed is another one or has dropped events: see Reconciler.
awaitable<void> begin_walk(pg::Transaction& transaction);

// Statuses that members gave, in the order in which they were given, as the suppressions that they make.
class Statuses {
 public:
  void add(const model::Uuid& organization, const model::Uuid& contact, model::ContactStatus status,
           model::Timestamp at);
  // Adds the statements that write them, in the order of all who write suppressions.
  void write(pg::Batch& batch) const;

 private:
  struct Said {
    bool opted_out = false, blocked = false;
    std::optional<model::Timestamp> opted_out_at, blocked_at;
  };
  std::map<model::Uuid, std::map<model::Uuid, Said>> said_;  // by organization and contact
};

}  // namespace parley::conversations::reconciliation
