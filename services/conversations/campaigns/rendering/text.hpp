#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace parley::conversations::rendering {

// What a link is reckoned to need, and a value in a URL to need at most.
inline constexpr std::size_t kLinkRoom = 128;
inline constexpr std::size_t kWholeValue = 256;

// A part of a text with variables, which are {{key}} or {{key|fallback}}, blanks around either aside.
struct Segment {
  enum class Kind { words, value, link };
  Kind kind = Kind::words;
  std::string text;      // the words; the variable's key; the URL
  std::string fallback;  // "" for none
  bool in_url = false;   // of a value: it is a part of a URL, which so differs by recipient and does not become a link
};

// The parts of a text, in their order. Absolute http and https URLs in the words are links; what is written after one
// as punctuation is not a part of it. Those with letters beyond ASCII stay words, as do those with a variable in them.
// `fault` says what is wrong with the text, and is left alone when nothing is.
std::vector<Segment> parse_text(std::string_view text, std::string& fault);

// The same of a text that is one URL as a whole, but for variables.
std::vector<Segment> parse_url(std::string_view text, std::string& fault);

// An absolute URL as http::Faults::check_url() has it, of printable ASCII.
bool is_url(std::string_view text);

// How many octets http::append_encoded() makes of a value within a URL.
std::size_t encoded_size(std::string_view text);

bool is_control(char c);  // of ASCII
// With spaces for control characters other than line breaks.
std::string without_controls(std::string_view text);
// The same for line breaks, and one space for several: as a template's parameters are.
std::string on_one_line(std::string_view text);
// Appends the text's octets as they stand within a string of JSON.
void append_json(std::string& out, std::string_view text);

// How much of a limit a text needs without its values, and how many values share what is left.
struct Need {
  std::size_t fixed = 0;  // characters
  std::size_t values = 0;
};
Need need_of(const std::vector<Segment>& segments);

}  // namespace parley::conversations::rendering
