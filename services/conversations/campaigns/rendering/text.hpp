#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace parley::conversations::rendering {

// The room in octets reserved for a link, and the maximum of a value that may not be cut.
inline constexpr std::size_t kLinkRoom = 128;
inline constexpr std::size_t kWholeValue = 256;

// A part of a text. Variables are {{key}} or {{key|fallback}}; blanks around both are ignored.
struct Segment {
  enum class Kind { words, value, link };
  Kind kind = Kind::words;
  std::string text;      // the words; the variable's key; the URL
  std::string fallback;  // "" for none
  bool in_url = false;   // of a value: part of a URL, which therefore does not become a link
};

// Splits a text into its parts, in order. Absolute http and https URLs become links, without trailing punctuation; URLs
// with non-ASCII letters or variables stay words. Sets `fault` only if the text is invalid.
std::vector<Segment> parse_text(std::string_view text, std::string& fault);

// Splits a text that as a whole is one URL with variables.
std::vector<Segment> parse_url(std::string_view text, std::string& fault);

// Whether `text` is an absolute URL of printable ASCII, as http::Faults::check_url() checks.
bool is_url(std::string_view text);

// Returns the size in octets of http::append_encoded() of a value.
std::size_t encoded_size(std::string_view text);

bool is_control(char c);  // ASCII only
// Replaces control characters other than line breaks by spaces.
std::string without_controls(std::string_view text);
// Also replaces line breaks, and collapses runs of spaces, as template parameters need.
std::string on_one_line(std::string_view text);
// Appends the text escaped for a JSON string, without quotes.
void append_json(std::string& out, std::string_view text);

// The part of a limit that a text needs without its values, and the number of values that share the rest.
struct Need {
  std::size_t fixed = 0;  // characters
  std::size_t values = 0;
};
Need need_of(const std::vector<Segment>& segments);

}  // namespace parley::conversations::rendering
