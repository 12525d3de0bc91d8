#pragma once
#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "common/model/message.hpp"

namespace parley::conversations::webhooks {

// Members may be missing; numbers may come as text, and text as numbers.
std::string text_of(const boost::json::object& object, std::string_view key);  // "" if missing
const boost::json::object* object_of(const boost::json::object& object, std::string_view key);
const boost::json::array* array_of(const boost::json::object& object, std::string_view key);

struct Content {
  model::MessageType type = model::MessageType::Unsupported;
  boost::json::object data;
  std::string refers_to;  // the channel's id of the message replied or reacted to
  // Possible opt-out or opt-in words: a text, or a button's payload and title.
  std::string word, other_word;
};

// The data of a System message about a voice call; without the session, which is of no use afterwards.
boost::json::object read_call_content(const boost::json::object& call);

// Unknown kinds become Unsupported, with all their data.
Content read_content(const boost::json::object& message);

}  // namespace parley::conversations::webhooks
