// What contacts are searched by: whatever a search or one of its patterns finds, the index is asked for; and filters by
// attributes are JSON.
#include "common/model/text.hpp"
#include "contacts/contacts/search.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;
using namespace parley::contacts::contacts;

namespace {

// LIKE, without escapes.
bool is_like(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '%') return is_like(text, pattern.substr(1)) || (!text.empty() && is_like(text.substr(1), pattern));
  return !text.empty() && (pattern[0] == '_' || pattern[0] == text[0]) && is_like(text.substr(1), pattern.substr(1));
}

}  // namespace

FUZZ(contact_search) {
  const auto name = input.line();
  const std::string search(input.rest());
  if (search.size() > 100 || !model::count_characters(search) || !model::count_characters(name)) return;
  const auto patterns = number_patterns(search);
  const auto asked = tails(search, patterns);
  const auto is_asked_for = [&](const std::string& found) {
    if (asked.empty()) return true;
    for (const auto& tail : asked)
      if (is_like(found, tail)) return true;
    return false;
  };
  MUST(is_asked_for("ada\n+4915" + search + "1"));
  for (const auto& pattern : patterns) {
    MUST(pattern.starts_with("%\n") && pattern.ends_with('%'));
    auto found = pattern;
    for (auto& c : found) c = c == '_' ? '7' : c == '%' ? 'z' : c;
    MUST(is_like(found, pattern) && is_asked_for(found));
  }
  is_short(search);
  if (name.find('\0') != name.npos || search.find('\0') != search.npos) return;
  for (const auto& document : attribute_documents({{name, search}, {"key", name}})) {
    model::Fault fault;
    MUST(model::parse_leniently(document, fault));
  }
}
