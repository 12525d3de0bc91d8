#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace parley::model {

// Number of characters (code points) of a UTF-8 text; nullopt if it is not UTF-8 (overlong forms and surrogates are
// not).
std::optional<std::size_t> count_characters(std::string_view text);

// The first `most` characters of a UTF-8 text.
std::string_view first_characters(std::string_view text, std::size_t most);

// The longest prefix of at most `most` octets that ends between characters. The text must be UTF-8.
std::string_view first_octets(std::string_view text, std::size_t most);

// Replaces each invalid UTF-8 octet, and each U+0000, which PostgreSQL cannot store, by U+FFFD.
std::string repaired(std::string_view text);

// True if the text has only white space and invisible separators.
bool is_blank(std::string_view text);

// With the ASCII letters in lower case.
std::string lower_case(std::string text);

// Compares ASCII letters without regard to case, as HTTP field names are compared.
bool equals_ignoring_case(std::string_view a, std::string_view b);

}  // namespace parley::model
