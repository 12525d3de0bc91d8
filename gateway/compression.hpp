#pragma once
// The content coding gzip (RFC 9110, 8.4.1.3) of responses.
#include <string>
#include <string_view>

#include "common/http/message.hpp"

namespace parley::gateway {

using boost::asio::awaitable;

// Whether the client takes gzip: RFC 9110, 12.5.3. A quality of 0 refuses.
bool accepts_gzip(const http::Request& request);

// The entity tag of the compressed form, which is another representation (RFC 9110, 8.8.3.3): `"A"` gives `"A-gzip"`.
std::string gzip_tag(std::string_view tag);

// A list of entity tags with each gzip_tag() as its service made it.
std::string plain_tags(std::string_view list);

// Reads the body to its end and compresses it piece by piece. Throws what `body` throws.
awaitable<std::string> gzip(http::BodySource& body);

}  // namespace parley::gateway
