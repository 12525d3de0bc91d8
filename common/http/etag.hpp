#pragma once
// Entity tags and the conditions on them (RFC 9110, 8.8.3 and 13.1).
#include <string>
#include <string_view>

#include "common/http/message.hpp"

namespace parley::http {

// A strong tag, with its quotes: a hash of the octets.
std::string etag_of(std::string_view octets);

// Whether one of a field's tags (a list, perhaps on several lines, or `*` for any) is `tag`. What is no tag ends the
// list. The strong comparison is If-Match's, where W/"..." is never the same; the weak one is If-None-Match's.
bool names_strongly(const Request& request, std::string_view field, std::string_view tag);
bool names_weakly(const Request& request, std::string_view field, std::string_view tag);

// Gives a 200 to a GET its ETag, or makes it a 304 without a body where If-None-Match names that.
void add_etag(const Request& request, Response& response);

}  // namespace parley::http
