#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace parley::model {

// Number of characters (code points) of a UTF-8 text; nullopt if it is not UTF-8 (overlong forms and surrogates are
// not).
std::optional<std::size_t> count_characters(std::string_view text);

// The text, or as many of its characters from the front. It must be UTF-8.
std::string_view first_characters(std::string_view text, std::size_t most);

// The text, or what of it fits into so many octets from the front, never through the midst of a character. It must be
// UTF-8.
std::string_view first_octets(std::string_view text, std::size_t most);

// The text with U+FFFD in the place of each octet that is no part of a UTF-8 sequence, and of each U+0000, which
// PostgreSQL cannot hold.
std::string repaired(std::string_view text);

// True if nothing but white space and invisible separators is in it.
bool is_blank(std::string_view text);

// Compares ASCII letters without regard to case, as HTTP field names are compared.
bool equals_ignoring_case(std::string_view a, std::string_view b);

}  // namespace parley::model
