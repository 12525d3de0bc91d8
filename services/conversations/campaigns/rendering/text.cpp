#include "conversations/campaigns/rendering/text.hpp"

#include <algorithm>
#include <boost/url/encode.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>

#include "common/http/problem.hpp"
#include "common/model/json.hpp"
#include "common/model/text.hpp"

namespace parley::conversations::rendering {

namespace {

constexpr std::size_t kMaxKeyLength = 255, kMaxFallbackLength = 255;  // characters
constexpr std::string_view kNotInUrls = "\"<>\\^`{|}";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

Segment read_variable(std::string_view text, std::string& fault) {
  const auto bar = text.find('|');
  const auto key = trimmed(text.substr(0, bar));
  const auto fallback = bar == text.npos ? std::string_view{} : trimmed(text.substr(bar + 1));
  if (key.empty()) fault = "has {{}} without the name of a variable";
  if (model::count_characters(key).value_or(0) > kMaxKeyLength) fault = "has a variable with too long a name";
  if (key.find('{') != key.npos) fault = "has {{ within {{";
  if (model::count_characters(fallback).value_or(0) > kMaxFallbackLength)
    fault = "has a variable with too long a fallback";
  return {Segment::Kind::value, std::string(key), model::is_blank(fallback) ? "" : std::string(fallback), false};
}

std::vector<Segment> split(std::string_view text, std::string& fault) {
  std::vector<Segment> out;
  while (!text.empty()) {
    const auto open = text.find("{{");
    if (open > 0) out.push_back({Segment::Kind::words, std::string(text.substr(0, open)), {}, false});
    if (open == text.npos) break;
    const auto close = text.find("}}", open);
    if (close == text.npos) {
      fault = "has {{ without }}";
      break;
    }
    out.push_back(read_variable(text.substr(open + 2, close - open - 2), fault));
    text.remove_prefix(close + 2);
  }
  return out;
}

bool starts_url(std::string_view text) {
  return model::equals_ignoring_case(text.substr(0, 7), "http://") ||
         model::equals_ignoring_case(text.substr(0, 8), "https://");
}

// Octets of the URL at the front of `text`: up to a blank, a quote, a bracket not allowed in URLs, or CJK punctuation.
std::size_t url_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto rest = text.substr(at);
    const auto character = model::first_characters(rest, 1);
    if (model::is_blank(character) || (character.size() == 1 && kNotInUrls.find(rest[0]) != kNotInUrls.npos)) break;
    if (rest.starts_with("\xE3\x80") || rest.starts_with("\xEF\xBC") || rest.starts_with("\xEF\xBD")) break;
    at += character.size();
  }
  return at;
}

// Removes trailing punctuation: sentence marks, a bracket opened before the URL, and the channel's markup.
std::string_view without_punctuation(std::string_view url, char before) {
  const auto is_punctuation = [&](char last) {
    if (last == ')') return url.find('(') == url.npos;
    if (last == ']') return url.find('[') == url.npos;
    if (last == '*' || last == '_' || last == '~') return last == before;
    return std::string_view(".,;:!?'").find(last) != std::string_view::npos;
  };
  while (!url.empty() && is_punctuation(url.back())) url.remove_suffix(1);
  return url;
}

class Linker {
 public:
  std::vector<Segment> link(std::vector<Segment> segments) {
    for (std::size_t i = 0; i < segments.size(); ++i) {
      auto& segment = segments[i];
      if (segment.kind == Segment::Kind::value) {
        segment.in_url = in_url_;
        out_.push_back(std::move(segment));
      } else {
        add_words(segment.text, i + 1 < segments.size());
      }
    }
    return std::move(out_);
  }

 private:
  void add_words(std::string_view words, bool is_followed) {
    std::size_t begin = 0, at = 0;  // of the words not added yet; of those not scanned yet
    if (in_url_) at = url_length(words);
    in_url_ = in_url_ && at == words.size();
    while (at < words.size()) {
      if (!starts_url(words.substr(at))) {
        ++at;
        continue;
      }
      const auto length = url_length(words.substr(at));
      in_url_ = is_followed && at + length == words.size();
      const auto url = without_punctuation(words.substr(at, length), at > 0 ? words[at - 1] : ' ');
      if (!in_url_ && is_url(url)) {
        add(Segment::Kind::words, words.substr(begin, at - begin));
        add(Segment::Kind::link, url);
        begin = at + url.size();
      }
      at += length;
    }
    add(Segment::Kind::words, words.substr(begin));
  }
  void add(Segment::Kind kind, std::string_view text) {
    if (!text.empty()) out_.push_back({kind, std::string(text), {}, false});
  }

  std::vector<Segment> out_;
  bool in_url_ = false;  // the next segment continues a URL
};

}  // namespace

bool is_url(std::string_view text) {
  http::Faults faults;
  faults.check_url("", text);
  return !text.empty() && faults.empty();
}

std::vector<Segment> parse_text(std::string_view text, std::string& fault) {
  auto segments = Linker().link(split(text, fault));
  for (const auto& segment : segments)
    if (segment.in_url && encoded_size(segment.fallback) > kWholeValue)
      fault = "has a variable in a URL with too long a fallback";
  return segments;
}

std::vector<Segment> parse_url(std::string_view text, std::string& fault) {
  if (is_url(text)) return {{Segment::Kind::link, std::string(text), {}, false}};
  return parse_text(text, fault);
}

std::size_t encoded_size(std::string_view text) {
  return boost::urls::encoded_size({text.data(), text.size()}, boost::urls::unreserved_chars);
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

std::string without_controls(std::string_view text) {
  std::string out(text);
  std::replace_if(out.begin(), out.end(), [](char c) { return is_control(c) && c != '\n'; }, ' ');
  return out;
}

std::string on_one_line(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c != ' ' && !is_control(c))
      out += c;
    else if (out.empty() || out.back() != ' ')
      out += ' ';
  }
  return out;
}

void append_json(std::string& out, std::string_view text) {
  const auto begin = out.size();
  model::write(out, text);
  out.pop_back();
  out.erase(begin, 1);
}

Need need_of(const std::vector<Segment>& segments) {
  Need need;
  for (const auto& segment : segments) {
    const auto characters = model::count_characters(segment.text).value_or(segment.text.size());
    if (segment.kind == Segment::Kind::words)
      need.fixed += characters;
    else if (segment.kind == Segment::Kind::link)
      need.fixed += std::max(characters, kLinkRoom);
    else if (segment.in_url)
      need.fixed += kWholeValue;
    else
      ++need.values;
  }
  return need;
}

}  // namespace parley::conversations::rendering
