#include "conversations/messages/search/highlights.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <span>
#include <utility>

#include "common/model/json.hpp"
#include "common/model/text.hpp"

namespace parley::conversations::search {

namespace json = boost::json;
using model::MessageType;

namespace {

constexpr std::size_t kMostFragments = 3;
constexpr std::size_t kAround = 80;       // octets of context before and behind a match
constexpr std::size_t kMostOctets = 320;  // of a fragment, unless one match is longer
// As in the schema.
constexpr std::size_t kSearched = 4'096;   // characters of a text
constexpr std::size_t kLongestWord = 100;  // characters

// ---- the texts: as message_said() of the schema ---------------------------------------------------------------------

constexpr std::array<std::string_view, 8> kShown{"text",        "caption", "fileName",     "title",
                                                 "description", "button",  "display_text", "formatted_name"};

void add_texts(const json::value& value, std::vector<std::string>& out) {
  if (const auto* array = value.if_array())
    for (const auto& element : *array) add_texts(element, out);
  const auto* object = value.if_object();
  if (!object) return;
  for (const auto& [key, member] : *object) {
    const bool is_shown = std::ranges::find(kShown, std::string_view(key.data(), key.size())) != kShown.end();
    if (const auto* text = member.if_string(); text && is_shown) out.emplace_back(text->data(), text->size());
    add_texts(member, out);
  }
}

std::vector<std::string> texts_of(const model::Message& message) {
  std::vector<std::string> out;
  model::Fault fault;
  const auto data = model::parse(message.messageData.text, fault);
  const auto* object = data ? data->if_object() : nullptr;
  if (!object) return out;
  if (message.messageType != MessageType::Location) {
    add_texts(*data, out);
    return out;
  }
  for (const auto* name : {"name", "address"})
    if (const auto* member = object->if_contains(name); member && member->is_string())
      out.emplace_back(member->get_string());
  return out;
}

// ---- the words: as folded_words() of the schema ---------------------------------------------------------------------

struct Character {
  char32_t code = 0;
  std::size_t octets = 1;
};

Character character_at(std::string_view text) {
  utf8proc_int32_t code = 0;
  const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &code);
  if (length <= 0) return {};
  return {static_cast<char32_t>(code), static_cast<std::size_t>(length)};
}

bool is_between(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

bool is_of_word(char32_t c) {
  if (c < 0x80) return is_between(c, '0', '9') || is_between(c, 'a', 'z') || is_between(c, 'A', 'Z');
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;  // letters, marks, numbers
}

bool is_dropped(char32_t c) {
  return is_between(c, 0x300, 0x36f) || is_between(c, 0x591, 0x5c7) || c == 0x640 || is_between(c, 0x64b, 0x652);
}

// A word by itself: Chinese and Japanese.
bool is_alone(char32_t c) {
  return is_between(c, 0x3041, 0x30ff) || is_between(c, 0x3400, 0x9fff) || is_between(c, 0xf900, 0xfaff);
}

void append(std::string& out, char32_t c) {
  constexpr std::u32string_view letters = U"æðøþđħıłŋœŧ", in_their_place = U"adotdhilnot";
  c = static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
  if (c == U'ß') return void(out += "ss");
  if (const auto at = letters.find(c); at != letters.npos) c = in_their_place[at];
  std::array<utf8proc_uint8_t, 4> octets{};
  const auto length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), octets.data());
  out.append(reinterpret_cast<const char*>(octets.data()), static_cast<std::size_t>(length));
}

void append_folded(std::string& out, char32_t c) {
  if (c < 0x80) return append(out, c);
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): a set of options
  constexpr auto how = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
  std::array<utf8proc_int32_t, 18> parts{};  // the longest of all decompositions
  const auto lower = utf8proc_tolower(static_cast<utf8proc_int32_t>(c));
  const auto count = utf8proc_decompose_char(lower, parts.data(), parts.size(), how, nullptr);
  for (std::size_t i = 0; std::cmp_less(i, count) && i < parts.size(); ++i)
    if (const auto part = static_cast<char32_t>(parts[i]); !is_dropped(part)) append(out, part);
}

// Octets of a text.
struct Span {
  std::size_t begin = 0, end = 0;
};

struct Word : Span {
  std::string folded;
};

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  bool goes_on = false;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, octets] = character_at(text.substr(at));
    const bool is_here = is_of_word(code);
    if (is_here && (!goes_on || is_alone(code) || characters == kLongestWord)) {
      words.push_back({{at, at}, {}});
      characters = 0;
    }
    if (is_here) {
      append_folded(words.back().folded, code);
      ++characters;
      words.back().end = at + octets;
    }
    goes_on = is_here && !is_alone(code);
    at += octets;
  }
  std::erase_if(words, [](const Word& word) { return word.folded.empty(); });
  return words;
}

// ---- the matches ----------------------------------------------------------------------------------------------------

bool is_at(const Sought& sought, const std::vector<Word>& words, std::size_t first) {
  if (first + sought.words.size() > words.size()) return false;
  for (std::size_t i = 0; i < sought.words.size(); ++i) {
    const auto& word = words[first + i].folded;
    const bool is_open = sought.is_open && i + 1 == sought.words.size();
    if (is_open ? !word.starts_with(sought.words[i]) : word != sought.words[i]) return false;
  }
  return true;
}

// In order, none within another.
std::vector<Span> matches_in(const std::vector<Word>& words, const std::vector<Sought>& sought) {
  std::vector<Span> out;
  for (std::size_t first = 0; first < words.size(); ++first)
    for (const auto& each : sought) {
      if (!is_at(each, words, first)) continue;
      const Span span{words[first].begin, words[first + each.words.size() - 1].end};
      if (out.empty() || span.begin >= out.back().end)
        out.push_back(span);
      else
        out.back().end = std::max(out.back().end, span.end);
    }
  return out;
}

// The octets around a match, between words.
Span around(const Span& match, const std::vector<Word>& words, std::size_t size) {
  Span out = match;
  if (match.begin <= kAround) out.begin = 0;
  if (size - match.end <= kAround) out.end = size;
  const auto first = std::ranges::lower_bound(words, match.begin - std::min(match.begin, kAround), {}, &Word::begin);
  for (auto word = first; word != words.end() && word->begin <= match.end + kAround; ++word) {
    out.begin = std::min(out.begin, word->begin);
    if (word->end <= match.end + kAround) out.end = std::max(out.end, word->end);
  }
  return out;
}

Fragment fragment_of(std::string_view text, const Span& part, std::span<const Span> matches) {
  Fragment fragment;
  const auto add = [&](std::size_t begin, std::size_t end, bool matched) {
    if (begin < end) fragment.pieces.push_back({std::string(text.substr(begin, end - begin)), matched});
  };
  auto at = part.begin;
  for (const auto& match : matches) {
    add(at, match.begin, false);
    add(match.begin, match.end, true);
    at = match.end;
  }
  add(at, part.end, false);
  return fragment;
}

void add_fragments(std::string_view text, const std::vector<Sought>& sought, std::vector<Fragment>& out) {
  const auto words = words_of(text);
  const auto matches = matches_in(words, sought);
  std::size_t shown = 0;
  for (std::size_t first = 0, past = 0; first < matches.size() && out.size() < kMostFragments; first = past) {
    auto part = around(matches[first], words, text.size());
    part.begin = std::max(part.begin, shown);
    for (past = first + 1; past < matches.size() && matches[past].end <= part.begin + kMostOctets; ++past) {
      const auto next = around(matches[past], words, text.size());
      if (next.begin > part.end) break;
      part.end = next.end;
    }
    if (past < matches.size()) part.end = std::min(part.end, matches[past].begin);
    shown = part.end;
    out.push_back(fragment_of(text, part, std::span(matches).subspan(first, past - first)));
  }
}

}  // namespace

std::vector<Fragment> highlights_of(const model::Message& message, const std::vector<Sought>& sought) {
  std::vector<Fragment> out;
  for (const auto& text : texts_of(message)) add_fragments(model::first_characters(text, kSearched), sought, out);
  return out;
}

}  // namespace parley::conversations::search
