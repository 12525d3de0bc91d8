#pragma once
#include <boost/asio/awaitable.hpp>
#include <span>

#include "common/events/event.hpp"
#include "common/events/snapshot.hpp"
#include "common/pg/pool.hpp"

namespace parley::analytics::rollups {

using boost::asio::awaitable;

// What the consumers of conversations' and contacts' feeds do (events::ConsumerWork).
// Adds the events' differences to the rollups. Throws events::BadEvent.
awaitable<void> apply_conversations(pg::Transaction& transaction, std::span<const events::Event> events);
awaitable<void> apply_contacts(pg::Transaction& transaction, std::span<const events::Event> events);
// Empties the rollups, piece by piece. Reports show what was there until the transaction is committed.
awaitable<void> forget_conversations(pg::Transaction& transaction);
awaitable<void> forget_contacts(pg::Transaction& transaction);
// Fills them from a snapshot, and notes from when on they are exact. Throws as apply.
awaitable<void> restore_conversations(pg::Transaction& transaction, events::SnapshotReader& snapshot);
awaitable<void> restore_contacts(pg::Transaction& transaction, events::SnapshotReader& snapshot);

// A feed whose figures of before a moment may lack something.
struct Inexact {
  std::string producer;
  model::Timestamp exact_from;
};
BOOST_DESCRIBE_STRUCT(Inexact, (), (producer, exact_from))

}  // namespace parley::analytics::rollups
