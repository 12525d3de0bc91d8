#pragma once
#include <string>
#include <string_view>

namespace parley::conversations::figures {

// What a recipient's reason means: that of a skip, "unknown", "NotSent", or a code of the channel.
std::string words_of(std::string_view reason);

}  // namespace parley::conversations::figures
