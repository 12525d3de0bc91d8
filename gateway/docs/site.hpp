#pragma once
// The public documents: /, /docs and what belongs to it, /openapi.json. They are embedded, unpacked and packed, and are
// not in memory until somebody asks for them.
#include <span>
#include <string_view>

#include "common/http/message.hpp"

namespace parley::gateway {

struct File {
  std::string_view path;
  std::string_view digest;  // of the text, in hexadecimal digits
  std::string_view text;    // empty for /openapi.json, which is `openapi_json`
  std::string_view packed;  // the text by gzip
};

// Made by embed.cmake.
extern const std::span<const File> files;

// The document at a path, or nullptr.
const File* find_file(std::string_view path);

// Answers a GET or HEAD for a document: packed if the request accepts that, and by 304 if it names the document's tag.
http::Response show(const http::Request& request, const File& file);

}  // namespace parley::gateway
