#include "common/model/timestamp.hpp"

#include <chrono>

namespace parley::model {

namespace {

using namespace std::chrono;

// Reads exactly `width` digits at the front of `text`, or nothing.
std::optional<int> digits(std::string_view& text, std::size_t width) {
  if (text.size() < width) return std::nullopt;
  int value = 0;
  for (std::size_t i = 0; i < width; ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(width);
  return value;
}

bool take(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<sys_days> parse_date(std::string_view& text) {
  const auto y = digits(text, 4);
  if (!y || !take(text, '-')) return std::nullopt;
  const auto m = digits(text, 2);
  if (!m || !take(text, '-')) return std::nullopt;
  const auto d = digits(text, 2);
  if (!d) return std::nullopt;
  const year_month_day date{year{*y}, month{static_cast<unsigned>(*m)}, day{static_cast<unsigned>(*d)}};
  if (!date.ok()) return std::nullopt;
  return sys_days{date};
}

// `12:34:56`, with any number of fractional digits, of which three count.
std::optional<milliseconds> parse_time(std::string_view& text) {
  const auto h = digits(text, 2);
  if (!h || *h > 23 || !take(text, ':')) return std::nullopt;
  const auto m = digits(text, 2);
  if (!m || *m > 59 || !take(text, ':')) return std::nullopt;
  const auto s = digits(text, 2);
  if (!s || *s > 59) return std::nullopt;
  int fraction = 0;
  if (take(text, '.')) {
    int weight = 100;
    if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1)) {
      fraction += weight * (text.front() - '0');
      weight /= 10;
    }
  }
  return hours{*h} + minutes{*m} + seconds{*s} + milliseconds{fraction};
}

std::optional<minutes> parse_zone(std::string_view& text) {
  if (take(text, 'Z') || take(text, 'z')) return minutes{0};
  const bool west = !text.empty() && text.front() == '-';
  // In a query an unescaped plus means a space: a zone east of Greenwich arrives so when the client did not escape it.
  if (!take(text, '-') && !take(text, '+') && !take(text, ' ')) return std::nullopt;
  const auto h = digits(text, 2);
  if (!h || *h > 23 || !take(text, ':')) return std::nullopt;
  const auto m = digits(text, 2);
  if (!m || *m > 59) return std::nullopt;
  const minutes offset = hours{*h} + minutes{*m};
  return west ? -offset : offset;
}

// Nothing before 1970 or after 9998, by UTC: what is taken is to be taken again as it is written.
std::optional<Timestamp> in_range(sys_time<milliseconds> moment) {
  constexpr sys_days first{1970y / January / 1}, end{9999y / January / 1};
  if (moment < first || moment >= end) return std::nullopt;
  return Timestamp{moment.time_since_epoch().count()};
}

void append_padded(std::string& out, unsigned value, int width) {
  char text[8];
  for (int i = width; i-- > 0; value /= 10) text[i] = static_cast<char>('0' + value % 10);
  out.append(text, static_cast<std::size_t>(width));
}

}  // namespace

Timestamp Timestamp::now() { return {duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count()}; }

std::optional<Timestamp> Timestamp::parse(std::string_view text) {
  const auto date = parse_date(text);
  if (!date) return std::nullopt;
  if (text.empty()) return in_range(*date);
  if (!take(text, 'T') && !take(text, 't')) return std::nullopt;
  const auto time = parse_time(text);
  if (!time) return std::nullopt;
  const auto zone = parse_zone(text);
  if (!zone || !text.empty()) return std::nullopt;
  return in_range(*date + *time - *zone);
}

void Timestamp::append_to(std::string& out) const {
  const sys_time<milliseconds> moment{milliseconds{milliseconds_since_epoch}};
  const auto midnight = floor<days>(moment);
  const year_month_day date{midnight};
  const auto time = moment - midnight;
  append_padded(out, static_cast<unsigned>(int{date.year()}), 4);
  out += '-';
  append_padded(out, unsigned{date.month()}, 2);
  out += '-';
  append_padded(out, unsigned{date.day()}, 2);
  out += 'T';
  append_padded(out, static_cast<unsigned>(time / hours{1}), 2);
  out += ':';
  append_padded(out, static_cast<unsigned>(time % hours{1} / minutes{1}), 2);
  out += ':';
  append_padded(out, static_cast<unsigned>(time % minutes{1} / seconds{1}), 2);
  out += '.';
  append_padded(out, static_cast<unsigned>(time % seconds{1} / milliseconds{1}), 3);
  out += 'Z';
}

std::string Timestamp::text() const {
  std::string out;
  out.reserve(24);
  append_to(out);
  return out;
}

}  // namespace parley::model
