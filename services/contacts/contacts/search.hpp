#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::contacts::contacts {

// What a search means, in the terms of the column contact.search: the folded name, a line's end, the phone number.

// True when no three letters or digits follow each other in it, so that it has no trigram to be found by.
bool is_short(std::string_view search);

// LIKE patterns beside the text itself, for what looks like a part of a phone number but is not spelled as one is kept:
// "+49 (151)", "0049151", and "0151", as it is dialled at home. None for what is no number.
std::vector<std::string> number_patterns(std::string_view search);

// LIKE patterns that the index is asked for instead of the search and its number_patterns(), which those found are then
// held to: the last digits, as few have the same, and each trigram more costs a pass over all contacts that have it.
// None where the search does not end in digits, or is no longer.
std::vector<std::string> tails(std::string_view search, const std::vector<std::string>& numbers);

// What attributes must contain for each of these names to have the text of its value: JSON objects, one of which must
// be contained. There are several as a value such as 12 or true may be a string or not.
std::vector<std::string> attribute_documents(const std::vector<std::pair<std::string, std::string>>& attributes);

}  // namespace parley::contacts::contacts
