#pragma once
#include "common/http/message.hpp"

namespace parley::http {

// What a GET shall get of a representation (RFC 9110, 14).
struct Range {
  enum class Kind {
    whole,  // no Range, one that If-Range calls off, or one that need not be served: malformed, or of several parts
    part,   // 206: `length` octets from `first`
    unsatisfiable  // 416
  };
  Kind kind = Kind::whole;
  std::uint64_t first = 0, length = 0;
};

// `size` > 0 octets; `tag` is the representation's strong ETag, "" if it has none.
Range choose_range(const Request& request, std::uint64_t size, std::string_view tag);

// The value of Content-Range: `bytes 0-9/100`, or `bytes */100` for a 416.
std::string content_range(const Range& range, std::uint64_t size);

}  // namespace parley::http
