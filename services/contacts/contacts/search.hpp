#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::contacts::contacts {

// Translates a search for the column contact.search: the folded name, a line feed, the phone number.

// True if the search has no three consecutive letters or digits, so that no trigram index can serve it.
bool is_short(std::string_view search);

// LIKE patterns for a part of a phone number that is not spelled as stored: "+49 (151)", "0049151", national "0151".
std::vector<std::string> number_patterns(std::string_view search);

// LIKE patterns for the index instead of the search and its number_patterns(), which then filter the rows found: the
// last digits, which few numbers share. Each further trigram would cost an index scan over all contacts that have it.
// Empty if the search does not end in digits or consists of no more than these.
std::vector<std::string> tails(std::string_view search, const std::vector<std::string>& numbers);

// JSON objects of which attributes must contain one: a value such as 12 or true may be stored as a string or not.
std::vector<std::string> attribute_documents(const std::vector<std::pair<std::string, std::string>>& attributes);

}  // namespace parley::contacts::contacts
