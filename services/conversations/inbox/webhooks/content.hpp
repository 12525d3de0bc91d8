#pragma once
#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "common/model/message.hpp"

namespace parley::conversations::webhooks {

// Members of what the channel sends, which may be missing, or text where numbers are documented and the other way
// round.
std::string text_of(const boost::json::object& object, std::string_view key);  // "" for none
const boost::json::object* object_of(const boost::json::object& object, std::string_view key);
const boost::json::array* array_of(const boost::json::object& object, std::string_view key);

// What is said in a message, as the interface has it.
struct Content {
  model::MessageType type = model::MessageType::Unsupported;
  boost::json::object data;
  std::string refers_to;  // the channel's id of the message that it answers or reacts to
  // What could be a word to opt out or in by, whole: a text, a button's payload and title.
  std::string word, other_word;
};

// Reads an inbound message's content. Kinds that are not known are Unsupported, with all that came.
Content read_content(const boost::json::object& message);

}  // namespace parley::conversations::webhooks
