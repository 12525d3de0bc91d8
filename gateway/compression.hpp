#pragma once
// The content codings of responses: gzip (RFC 9110, 8.4.1.3), and brotli (RFC 7932) where a file is there in it.
#include <string>
#include <string_view>

#include "common/http/message.hpp"

namespace parley::gateway {

using boost::asio::awaitable;

enum class Coding : unsigned char { identity, gzip, brotli };
std::string_view name_of(Coding coding);

// What the client likes best of what is there (RFC 9110, 12.5.3): brotli, then gzip, where it likes several alike. What
// it does not name is liked least.
Coding best_coding(const http::Request& request, bool has_brotli);

// Whether the client takes gzip, and likes it no less than what is not compressed.
inline bool accepts_gzip(const http::Request& request) { return best_coding(request, false) == Coding::gzip; }

// The entity tag of another coding, which is another representation (RFC 9110, 8.8.3.3): `"A"` gives `"A-gzip"`, or
// `"A-br"`.
std::string tag_in(std::string_view tag, Coding coding);

// A list of entity tags with each gzip_tag() as its service made it.
std::string plain_tags(std::string_view list);

// Reads the body to its end and compresses it piece by piece. Throws what `body` throws.
awaitable<std::string> gzip(http::BodySource& body);

}  // namespace parley::gateway
