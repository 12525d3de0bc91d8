#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/http/message.hpp"

namespace parley::conversations::media {

struct Kind {
  std::string_view mime_type;
  std::uint64_t most;  // octets
  bool inert;          // browsers display or play it, and execute nothing in it
  bool of_templates = false;
};

// Ignores case and parameters of the media type; nullptr if the channel does not accept it.
const Kind* find_kind(std::string_view content_type);

std::string_view known_kinds();

// The media type of a file that the channel sends with these fields, after it has told `mime_type`.
std::string type_of(std::span<const http::Field> fields, std::string_view mime_type);

}  // namespace parley::conversations::media
