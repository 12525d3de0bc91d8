#pragma once
#include <boost/asio/awaitable.hpp>
#include <span>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::subscriptions {

using boost::asio::awaitable;

// Makes of events what is to be posted to the webhooks that ask for it, in the transaction that applies the events:
// each is so made once, however often they are read. To be called by the consumers of the feeds that tell what webhooks
// can ask for. Writes nothing where nobody asks. Throws events::BadEvent.
awaitable<void> fan_out(pg::Transaction& transaction, std::span<const events::Event> events);

}  // namespace parley::conversations::subscriptions
