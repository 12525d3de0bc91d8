#pragma once
#include "common/http/problem.hpp"
#include "conversations/channel/shapes.hpp"

namespace parley::conversations::channel {

// The part of check_content() for messages that are answered by a tap.
void check_interactive(const Interactive& content, http::Faults& faults);

}  // namespace parley::conversations::channel
