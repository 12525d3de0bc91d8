#pragma once
#include <array>
#include <boost/json/object.hpp>
#include <string_view>

#include "tests/simulator/media.hpp"
#include "tests/simulator/refusal.hpp"

namespace parley::simulator {

// The types of messages that the channel takes; their places in here stand for them.
inline constexpr std::array<std::string_view, 11> kTypes{"text",     "image",       "video",    "audio",
                                                         "document", "sticker",     "location", "contacts",
                                                         "reaction", "interactive", "template"};

// Checks what a message of a type other than template says: `message` is the whole body, whose member of the type's
// name holds it. Throws Refusal.
void check_content(std::string_view type, const boost::json::object& message, const MediaStore& media);

}  // namespace parley::simulator
