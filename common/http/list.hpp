#pragma once
#include <string_view>
#include <vector>

namespace parley::http {

// The text without the blanks around it (OWS, RFC 9110 5.6.3).
std::string_view trimmed(std::string_view text);

// The members of a list with commas between, without the blanks around each (RFC 9110 5.6.1). For lists without quoted
// strings. A member between two commas may be empty; "" has one member, which is empty.
std::vector<std::string_view> split(std::string_view list);

}  // namespace parley::http
