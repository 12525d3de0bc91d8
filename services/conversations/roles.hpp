#pragma once
// The service's roles. They share the database and the service name, and scale separately.
#include <initializer_list>
#include <string_view>

#include "common/chassis/program.hpp"

namespace parley::conversations {

// serve: answers requests, and runs their background work.
chassis::Factory configure_serving(chassis::Environment& environment);
// dispatch: sends messages, applies the channel's reports, delivers to subscribers.
chassis::Factory configure_dispatching(chassis::Environment& environment);

// Consumers that the service's events are kept for. Either role orders the events.
inline constexpr std::initializer_list<std::string_view> kEventConsumers{"analytics", "webhooks", "contacts"};

}  // namespace parley::conversations
