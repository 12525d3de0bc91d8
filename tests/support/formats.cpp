#include "tests/support/formats.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>

namespace parley::support {

namespace {

std::optional<int> digits(std::string_view text, std::size_t at, std::size_t width) {
  if (text.size() < at + width) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(at, width)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

bool is_date(std::string_view text) {
  const auto y = digits(text, 0, 4);
  const auto m = digits(text, 5, 2);
  const auto d = digits(text, 8, 2);
  if (text.size() != 10 || text[4] != '-' || text[7] != '-' || !y || !m || !d) return false;
  using namespace std::chrono;
  return year_month_day{year{*y}, month{static_cast<unsigned>(*m)}, day{static_cast<unsigned>(*d)}}.ok();
}

bool is_clock(std::string_view text, int most_seconds) {
  const auto h = digits(text, 0, 2);
  const auto m = digits(text, 3, 2);
  const auto s = digits(text, 6, 2);
  return text.size() == 8 && text[2] == ':' && text[5] == ':' && h && m && s && *h < 24 && *m < 60 &&
         *s <= most_seconds;
}

bool is_offset(std::string_view text) {
  if (text == "Z") return true;
  return text.size() == 6 && (text[0] == '+' || text[0] == '-') && is_clock(std::string(text.substr(1)) + ":00", 59);
}

bool is_date_time(std::string_view text, Direction direction) {
  if (text.size() < 20 || !is_date(text.substr(0, 10)) || text[10] != 'T' || !is_clock(text.substr(11, 8), 59))
    return false;
  text.remove_prefix(19);
  if (direction == Direction::answer) return text.size() == 5 && text[0] == '.' && digits(text, 1, 3) && text[4] == 'Z';
  if (text[0] == '.') {
    const auto end = std::min(text.find_first_not_of("0123456789", 1), text.size());
    if (end == 1) return false;
    text.remove_prefix(end);
  }
  return is_offset(text);
}

bool is_uuid(std::string_view text, Direction direction) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < 36; ++i) {
    const char c = text[i];
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      if (c != '-') return false;
    } else if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
                 (direction == Direction::request && c >= 'A' && c <= 'F'))) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool is_number(const boost::json::value& value) { return value.is_int64() || value.is_uint64() || value.is_double(); }

std::optional<bool> has_format(const boost::json::value& value, std::string_view format, Direction direction) {
  const auto text =
      value.is_string() ? std::string_view(value.get_string().data(), value.get_string().size()) : std::string_view{};
  if (format == "date-time") return !value.is_string() || is_date_time(text, direction);
  if (format == "date") return !value.is_string() || is_date(text);
  if (format == "uuid") return !value.is_string() || is_uuid(text, direction);
  if (format == "int64") return !is_number(value) || value.is_int64();
  if (format == "int32") {
    return !is_number(value) || (value.is_int64() && value.get_int64() >= std::numeric_limits<std::int32_t>::min() &&
                                 value.get_int64() <= std::numeric_limits<std::int32_t>::max());
  }
  if (format == "double" || format == "binary") return true;
  return std::nullopt;
}

}  // namespace parley::support
