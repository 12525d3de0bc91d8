#pragma once
#include "common/http/message.hpp"

namespace parley::conversations::links {

// Whether a program follows the link: previews and robots by User-Agent, prefetches by Sec-Purpose, any HEAD.
bool is_preview(const http::Request& request);

}  // namespace parley::conversations::links
