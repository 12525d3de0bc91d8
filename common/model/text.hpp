#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace parley::model {

// Number of characters (code points) of a UTF-8 text; nullopt if it is not UTF-8 (overlong forms and surrogates are
// not).
std::optional<std::size_t> count_characters(std::string_view text);

// True if nothing but white space and invisible separators is in it.
bool is_blank(std::string_view text);

// Compares ASCII letters without regard to case, as HTTP field names are compared.
bool equals_ignoring_case(std::string_view a, std::string_view b);

}  // namespace parley::model
