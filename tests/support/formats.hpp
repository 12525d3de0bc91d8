#pragma once
// The formats that the schemas of an OpenAPI document may name.
#include <boost/json/value.hpp>
#include <optional>
#include <string_view>

namespace parley::support {

// Requests may write moments as RFC 3339 does and name their keys in any order; answers have one form and one order:
// `2026-01-31T12:34:56.789Z`, lower-case ids, keys in the order of the schema's `properties`.
enum class Direction { request, answer };

bool is_number(const boost::json::value& value);

// Whether the value has the format `date-time`, `date`, `uuid`, `int32`, `int64` or `double`; true for values of a type
// of which the format says nothing, nullopt for an unknown format.
std::optional<bool> has_format(const boost::json::value& value, std::string_view format, Direction direction);

}  // namespace parley::support
