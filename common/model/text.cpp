#include "common/model/text.hpp"

#include <algorithm>

namespace parley::model {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// Length of the UTF-8 sequence at the front of `text` (RFC 3629), 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto follows = [&](std::size_t i) { return i < text.size() && (at(i) & 0xC0) == 0x80; };
  const unsigned char first = at(0);
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return follows(1) ? 2 : 0;
  if (first < 0xF0) {
    if (!follows(1) || !follows(2)) return 0;
    if (first == 0xE0 && at(1) < 0xA0) return 0;
    if (first == 0xED && at(1) > 0x9F) return 0;
    return 3;
  }
  if (first > 0xF4 || !follows(1) || !follows(2) || !follows(3)) return 0;
  if (first == 0xF0 && at(1) < 0x90) return 0;
  if (first == 0xF4 && at(1) > 0x8F) return 0;
  return 4;
}

}  // namespace

std::optional<std::size_t> count_characters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) {
    const auto length = sequence_length(text);
    if (length == 0) return std::nullopt;
    text.remove_prefix(length);
  }
  return count;
}

std::string_view first_characters(std::string_view text, std::size_t most) {
  std::size_t octets = 0;
  for (; most > 0 && octets < text.size(); --most)
    octets += std::max<std::size_t>(sequence_length(text.substr(octets)), 1);
  return text.substr(0, octets);
}

std::string_view first_octets(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most);
}

std::string repaired(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto length = text.front() == '\0' ? 0 : sequence_length(text);
    out += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

bool is_blank(std::string_view text) {
  // Beyond ASCII: no-break space, the spaces of U+2000..U+200B, U+2028..U+202F, U+2060, ideographic space, BOM.
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text.front());
    if (c <= 0x20 || c == 0x7F) {
      text.remove_prefix(1);
    } else if (text.starts_with("\xC2\xA0")) {
      text.remove_prefix(2);
    } else if (text.starts_with("\xE3\x80\x80") || text.starts_with("\xEF\xBB\xBF") ||
               text.starts_with("\xE2\x81\xA0")) {
      text.remove_prefix(3);
    } else if (text.size() >= 3 && text.starts_with("\xE2\x80") && static_cast<unsigned char>(text[2]) <= 0xAF) {
      const auto last = static_cast<unsigned char>(text[2]);
      if (last > 0x8B && last < 0xA8) return false;
      text.remove_prefix(3);
    } else {
      return false;
    }
  }
  return true;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = lower(c);
  return text;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

}  // namespace parley::model
