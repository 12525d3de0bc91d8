#pragma once
// The files that the gateway serves itself: the console at /console/, the documents at /docs, the pages that mails lead
// to, and /openapi.json. They are embedded packed, and are not in memory until somebody asks for them.
#include <cstddef>
#include <span>
#include <string_view>

#include "common/http/message.hpp"

namespace parley::gateway {

struct File {
  std::string_view path;
  std::string_view digest;  // of the text, in hexadecimal digits
  std::size_t size;         // of the text, octets
  std::string_view gzip;    // the text by gzip
  std::string_view brotli;  // the text by brotli, or empty
};

// Made by embed.cmake.
extern const std::span<const File> files;

// What a path leads to: a file, or another path, or nothing.
struct Place {
  const File* file = nullptr;
  std::string_view elsewhere{};
  explicit operator bool() const { return file || !elsewhere.empty(); }
};

// `/` leads to the console, or to the start page of the documents in a build without it. Every path below /console/ is
// the console's page, which finds out itself what it shows there; but for those of its assets.
Place find_place(std::string_view path);

// Answers a GET or HEAD for a place: in the coding that the request likes best, and by 304 if it names the tag of that.
http::Response show(const http::Request& request, const Place& place);

}  // namespace parley::gateway
