#pragma once
#include <array>
#include <boost/json/object.hpp>
#include <string_view>

#include "tests/simulator/media.hpp"
#include "tests/simulator/refusal.hpp"

namespace parley::simulator {

// The message types that the channel accepts; other code refers to them by index.
inline constexpr std::array<std::string_view, 11> kTypes{"text",     "image",       "video",    "audio",
                                                         "document", "sticker",     "location", "contacts",
                                                         "reaction", "interactive", "template"};

// Checks the content of a message other than a template. `message` is the whole body. Throws Refusal.
void check_content(std::string_view type, const boost::json::object& message, const MediaStore& media);

}  // namespace parley::simulator
