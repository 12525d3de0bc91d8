#pragma once
#include <boost/asio/awaitable.hpp>
#include <span>

#include "common/events/event.hpp"
#include "common/pg/pool.hpp"

namespace parley::conversations::subscriptions {

using boost::asio::awaitable;

// Adds deliveries to subscribed webhooks, exactly once, in the events' transaction. Throws events::BadEvent.
awaitable<void> fan_out(pg::Transaction& transaction, std::span<const events::Event> events);

}  // namespace parley::conversations::subscriptions
