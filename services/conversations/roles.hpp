#pragma once
// What the service does in each of its roles. They share the database and the name, and scale apart.
#include <initializer_list>
#include <string_view>

#include "common/chassis/program.hpp"

namespace parley::conversations {

// serve: answers requests, and does what goes on beside them.
chassis::Factory configure_serving(chassis::Environment& environment);
// dispatch: sends messages, applies what the channel reported, calls the subscribers.
chassis::Factory configure_dispatching(chassis::Environment& environment);

// Whom the service's events wait for. Either role gives events their order.
inline constexpr std::initializer_list<std::string_view> kEventConsumers{"analytics", "webhooks", "contacts"};

}  // namespace parley::conversations
