#pragma once
#include "common/http/problem.hpp"
#include "conversations/channel/shapes.hpp"

namespace parley::conversations::channel {

void check_interactive(const Interactive& content, http::Faults& faults);

}  // namespace parley::conversations::channel
