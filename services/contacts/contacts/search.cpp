#include "contacts/contacts/search.hpp"

#include <algorithm>
#include <boost/json/value.hpp>

#include "common/model/json.hpp"

namespace parley::contacts::contacts {

namespace {

constexpr std::size_t kLongNumber = 7;
constexpr std::size_t kMinTailLength = 4, kMaxTailLength = 5;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// True for octets that begin a letter or digit; approximate, as it is true for all characters beyond ASCII.
bool begins_letter(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c >= 0xC0;
}

bool has_json_spelling(const std::string& value) {
  if (value.empty() || !(is_digit(value.back()) || value.back() == 'e') || value.front() == ' ') return false;
  model::Fault fault;
  const auto json = model::parse(value, fault);
  return json && (json->is_number() || json->is_bool());
}

}  // namespace

bool is_short(std::string_view search) {
  int run = 0;
  for (const char octet : search) {
    const auto c = static_cast<unsigned char>(octet);
    if ((c & 0xC0) == 0x80) continue;  // continuation octet of UTF-8
    run = begins_letter(c) ? run + 1 : 0;
    if (run == 3) return false;
  }
  return true;
}

std::vector<std::string> number_patterns(std::string_view search) {
  std::string typed(search);
  if (const auto trunk = typed.find("(0)"); trunk != typed.npos) typed.erase(trunk, 3);
  std::string digits;
  bool has_plus = false;
  for (const char c : typed) {
    if (is_digit(c))
      digits += c;
    else if (c == '+' && digits.empty() && !has_plus)
      has_plus = true;
    else if (std::string_view(" -./()").find(c) == std::string_view::npos)
      return {};
  }
  if (digits.size() < 3) return {};
  // LIKE patterns: `%` matches anything, `_` one character; the number follows the line feed.
  const bool as_kept = search.size() == digits.size() + has_plus;
  const bool from_home = !has_plus && digits.front() == '0' && !digits.starts_with("00");
  // A long number is specific enough to match anywhere in the stored number.
  if (from_home && digits.size() >= kLongNumber) return {"%\n%" + digits.substr(1) + "%"};
  std::vector<std::string> patterns;
  if (!as_kept) patterns.push_back(has_plus ? "%\n+" + digits + "%" : "%\n%" + digits + "%");
  if (digits.size() < 4) return patterns;
  if (!has_plus && digits.starts_with("00")) patterns.push_back("%\n+" + digits.substr(2) + "%");
  if (from_home)  // after a calling code of one to three digits
    for (const char* code : {"_", "__", "___"}) patterns.push_back("%\n+" + (code + digits.substr(1)) + "%");
  return patterns;
}

std::vector<std::string> tails(std::string_view search, const std::vector<std::string>& numbers) {
  const auto tail_of = [](std::string_view text) {
    std::size_t length = 0;
    while (length < std::min(text.size(), kMaxTailLength) && is_digit(text[text.size() - 1 - length])) ++length;
    return text.substr(text.size() - length);
  };
  std::vector<std::string> out;
  const auto add = [&](std::string pattern) {
    if (std::find(out.begin(), out.end(), pattern) == out.end()) out.push_back(std::move(pattern));
  };
  const auto tail = tail_of(search);
  if (tail.size() >= kMinTailLength)
    add("%" + std::string(tail) + "%");
  else if (!numbers.empty())
    add("%" + std::string(search) + "%");  // only digits and separators: nothing to escape
  else
    return {};
  if (numbers.empty() && tail.size() == search.size()) return {};
  for (const std::string_view pattern : numbers) {
    const auto digits = tail_of(pattern.substr(0, pattern.size() - 1));
    if (digits.size() < kMinTailLength) return {};
    add("%" + std::string(digits) + "%");
  }
  return out;
}

std::vector<std::string> attribute_documents(const std::vector<std::pair<std::string, std::string>>& attributes) {
  std::vector<std::string> documents{"{"};
  for (const auto& [name, value] : attributes) {
    const auto count = documents.size();
    const bool has_other = has_json_spelling(value);
    for (std::size_t i = 0; i < count; ++i) {
      if (documents[i].size() > 1) documents[i] += ',';
      model::write(documents[i], name);
      documents[i] += ':';
      if (has_other) documents.push_back(documents[i] + value);
      model::write(documents[i], value);
    }
  }
  for (auto& document : documents) document += '}';
  return documents;
}

}  // namespace parley::contacts::contacts
