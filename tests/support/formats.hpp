#pragma once
#include <boost/json/value.hpp>
#include <optional>
#include <string_view>

namespace parley::support {

// Requests may use any form of RFC 3339 and order of keys; answers only `2026-01-31T12:34:56.789Z`, lower-case ids, and
// the order of `properties`.
enum class Direction { request, answer };

bool is_number(const boost::json::value& value);

// True if the format does not apply to the value's type, nullopt for an unknown format.
std::optional<bool> has_format(const boost::json::value& value, std::string_view format, Direction direction);

}  // namespace parley::support
