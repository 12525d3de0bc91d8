#pragma once
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "common/http/problem.hpp"
#include "common/model/message.hpp"

namespace parley::conversations::channel {

// Judges the messageData of a message that a member wants to send by the channel's limits. What is wrong is added to
// the faults, at /messageData/...; a type that cannot be sent, at /messageType. Members it does not know pass.
void check_content(model::MessageType type, const boost::json::value& data, http::Faults& faults);

// A message on its way out.
struct Envelope {
  model::Uuid message_id;  // comes back with every status
  std::string recipient;   // a phone number with its plus, or else the channel's id of a user without one
  model::MessageType type = model::MessageType::Text;
  std::string_view data;                           // messageData, good by check_content()
  std::optional<std::string> reply_to_wamid{};     // the message that it answers
  std::optional<std::string> reaction_to_wamid{};  // of a Reaction: the message that it is to
};

// The body of Client::send(). Throws std::invalid_argument for what check_content() would not have let pass, and a
// Reaction to nothing.
std::string to_channel(const Envelope& envelope);

}  // namespace parley::conversations::channel
