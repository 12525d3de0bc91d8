#include <array>
#include <charconv>
#include <cmath>

#include "common/model/json.hpp"

namespace parley::model {

namespace {

constexpr auto kNeedsEscape = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < 32; ++c) table[c] = true;
  table['"'] = table['\\'] = true;
  return table;
}();

void append_escaped(std::string& out, unsigned char c) {
  static constexpr char hex[] = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += "\\u00";
      out += hex[c >> 4];
      out += hex[c & 15];
  }
}

template <class Number>
void append_number(std::string& out, Number value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  out.append(text, end);
}

}  // namespace

void write(std::string& out, std::string_view text) {
  out += '"';
  const char* run = text.data();
  const char* const end = run + text.size();
  for (const char* p = run; p != end; ++p) {
    const auto c = static_cast<unsigned char>(*p);
    if (!kNeedsEscape[c]) continue;
    out.append(run, p);
    run = p + 1;
    append_escaped(out, c);
  }
  out.append(run, end);
  out += '"';
}

void write(std::string& out, bool value) { out += value ? "true" : "false"; }
void write(std::string& out, std::int64_t value) { append_number(out, value); }
void write(std::string& out, std::uint64_t value) { append_number(out, value); }
void write(std::string& out, double value) {
  if (std::isfinite(value))
    append_number(out, value + 0.0);  // -0.0 is 0, as which "-0" would be read again
  else
    out += "null";
}

}  // namespace parley::model
