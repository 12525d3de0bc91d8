#pragma once
#include <cstdint>
#include <string_view>

namespace parley::conversations::media {

struct Kind {
  std::string_view mime_type;
  std::uint64_t most;  // octets
  bool inert;          // browsers display or play it, and execute nothing in it
};

// Ignores case and parameters of the media type; nullptr if the channel does not accept it.
const Kind* find_kind(std::string_view content_type);

std::string_view known_kinds();

}  // namespace parley::conversations::media
