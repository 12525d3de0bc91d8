#pragma once
#include "common/http/message.hpp"

namespace parley::conversations::links {

// Whether it is no person who follows the link, as far as that can be told: what shows previews of links, and other
// robots, say so in User-Agent; browsers that fetch what might be wanted in Sec-Purpose; and nobody reads a HEAD's
// answer.
bool is_preview(const http::Request& request);

}  // namespace parley::conversations::links
