#pragma once
#include <cstdint>
#include <string_view>

namespace parley::conversations::media {

// A kind of file that the channel takes.
struct Kind {
  std::string_view mime_type;
  std::uint64_t most;  // octets
  bool inert;          // browsers show or play it, and run nothing that is in it
};

// By a media type with or without parameters, in any case; nullptr for what the channel does not take.
const Kind* find_kind(std::string_view content_type);

// For people: what is taken.
std::string_view known_kinds();

}  // namespace parley::conversations::media
