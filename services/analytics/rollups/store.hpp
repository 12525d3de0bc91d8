#pragma once
#include <boost/asio/awaitable.hpp>
#include <span>

#include "common/events/event.hpp"
#include "common/events/snapshot.hpp"
#include "common/pg/pool.hpp"

namespace parley::analytics::rollups {

using boost::asio::awaitable;

// Consumers of both feeds (events::ConsumerWork): add the events' changes to the rollups. Throw events::BadEvent.
awaitable<void> apply_conversations(pg::Transaction& transaction, std::span<const events::Event> events);
awaitable<void> apply_contacts(pg::Transaction& transaction, std::span<const events::Event> events);
// Empty the rollups in steps. Reports show the old figures until the transaction commits.
awaitable<void> forget_conversations(pg::Transaction& transaction);
awaitable<void> forget_contacts(pg::Transaction& transaction);
// Fill the rollups from a snapshot and store since when they are exact. Throw events::BadEvent.
awaitable<void> restore_conversations(pg::Transaction& transaction, events::SnapshotReader& snapshot);
awaitable<void> restore_contacts(pg::Transaction& transaction, events::SnapshotReader& snapshot);

// A feed whose figures from before `exact_from` may be incomplete.
struct Inexact {
  std::string producer;
  model::Timestamp exact_from;
};
BOOST_DESCRIBE_STRUCT(Inexact, (), (producer, exact_from))

}  // namespace parley::analytics::rollups
