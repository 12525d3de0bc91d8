#pragma once
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "common/http/problem.hpp"
#include "common/model/message.hpp"

namespace parley::conversations::channel {

// Adds faults at /messageData/... by the channel's limits, or at /messageType for a type that cannot be sent.
void check_content(model::MessageType type, const boost::json::value& data, http::Faults& faults);

struct Envelope {
  model::Uuid message_id;  // returned by the channel with every status
  std::string recipient;   // a phone number with its plus, or the channel's id of a user without one
  model::MessageType type = model::MessageType::Text;
  std::string_view data;                           // messageData that passed check_content()
  std::optional<std::string> reply_to_wamid{};     // the message replied to
  std::optional<std::string> reaction_to_wamid{};  // for a Reaction: the message reacted to
};

// The body for Client::send(). Throws std::invalid_argument for what check_content() refuses, a Reaction to nothing.
std::string to_channel(const Envelope& envelope);

}  // namespace parley::conversations::channel
