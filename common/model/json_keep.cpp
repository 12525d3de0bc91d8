#include <charconv>
#include <cmath>

#include "common/model/keep.hpp"

namespace parley::model {

namespace {

std::size_t size_of(std::string_view text) {
  std::string quoted;
  write(quoted, text);
  return quoted.size();
}

// Without an exponent: as many digits as that is, before the point or behind it.
std::size_t size_of(double number) {
  char text[32];
  const auto length = static_cast<std::size_t>(std::to_chars(text, text + sizeof text, number).ptr - text);
  return number == 0 ? length : length + static_cast<std::size_t>(std::abs(std::log10(std::abs(number)))) + 2;
}

}  // namespace

std::size_t kept_size(const boost::json::value& json) {
  std::size_t size = 2;  // brackets
  switch (json.kind()) {
    case boost::json::kind::array:
      for (const auto& element : json.get_array()) size += kept_size(element) + 2;
      return size;
    case boost::json::kind::object:
      for (const auto& member : json.get_object())
        size += size_of({member.key().data(), member.key().size()}) + kept_size(member.value()) + 4;
      return size;
    case boost::json::kind::string:
      return size_of({json.get_string().data(), json.get_string().size()});
    case boost::json::kind::double_:
      return size_of(json.get_double());
    default:
      return std::string_view("-9223372036854775808").size();
  }
}

bool is_kept_within(const RawJson& json, std::size_t most) {
  constexpr std::size_t kMaxGrowth = 8;  // [1e31,1e31] is the worst
  if (json.text.size() <= most / kMaxGrowth) return true;
  Fault fault;
  const auto parsed = parse(json.text, fault);
  return parsed && kept_size(*parsed) <= most;
}

}  // namespace parley::model
