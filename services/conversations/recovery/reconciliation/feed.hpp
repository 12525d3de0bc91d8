#pragma once
// Applies the feed of contacts to this database.
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "common/events/event.hpp"
#include "common/model/contact.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::reconciliation {

using boost::asio::awaitable;

// The events::ConsumerWork of contacts' feed:
//   - Conversations of deleted contacts become tombstones at once; their contents, queued messages and other rows are
//     removed in the background, as are the rows of deleted tags.
//   - Rows of a merged contact move to the surviving one in the background: see deletions.
//   - Statuses set by members decide whom campaigns skip. The newer of a member's and the contact's own opt-out wins;
//     at the same moment, the contact's.
//   - What of it is public is relayed to this service's own feed, for streams, and made deliveries of, for webhooks.
// Idempotent. Throws events::BadEvent.
awaitable<void> apply_feed(pg::Transaction& transaction, std::span<const events::Event> events);

// Call when the feed was replaced or has dropped events: begins a walk, see Reconciler.
awaitable<void> begin_walk(pg::Transaction& transaction);

// Collects statuses set by members, in order, as the suppressions that they cause.
class Statuses {
 public:
  void add(const model::Uuid& organization, const model::Uuid& contact, model::ContactStatus status,
           model::Timestamp at);
  // Adds the statements, in the lock order of all writers of suppressions.
  void write(pg::Batch& batch) const;

 private:
  struct Said {
    bool opted_out = false, blocked = false;
    std::optional<model::Timestamp> opted_out_at, blocked_at;
  };
  std::map<model::Uuid, std::map<model::Uuid, Said>> said_;  // by organization and contact
};

}  // namespace parley::conversations::reconciliation
