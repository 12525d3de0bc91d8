#include "common/http/range.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "common/http/list.hpp"
#include "common/model/text.hpp"

namespace parley::http {

namespace {

constexpr std::string_view kUnit = "bytes=";

// A number that does not fit is as good as the largest one.
bool read_number(std::string_view text, std::uint64_t& out) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) return false;
  if (std::from_chars(text.data(), text.data() + text.size(), out).ec != std::errc{})
    out = std::numeric_limits<std::uint64_t>::max();
  return true;
}

// Of the one range `text`, such as "0-9", "10-" or "-5".
Range range_of(std::string_view text, std::uint64_t size) {
  const auto dash = text.find('-');
  std::uint64_t first = 0, last = size - 1;
  if (dash == text.npos) return {};
  if (dash == 0) {
    std::uint64_t suffix = 0;
    if (!read_number(text.substr(1), suffix)) return {};
    if (suffix == 0) return {Range::Kind::unsatisfiable};
    first = size - std::min(suffix, size);
  } else {
    if (!read_number(text.substr(0, dash), first)) return {};
    const auto end = text.substr(dash + 1);
    if (!end.empty() && (!read_number(end, last) || last < first)) return {};
    if (first >= size) return {Range::Kind::unsatisfiable};
  }
  return {Range::Kind::part, first, std::min(last, size - 1) - first + 1};
}

}  // namespace

Range choose_range(const Request& request, std::uint64_t size, std::string_view tag) {
  const auto asked = request.field("Range");
  if (request.method != Method::get || asked.size() < kUnit.size() ||
      !model::equals_ignoring_case(asked.substr(0, kUnit.size()), kUnit))
    return {};
  // Only a strong tag says that the part still fits to what the client has; a date never does.
  if (request.has("If-Range") && (tag.empty() || request.field("If-Range") != tag)) return {};
  return range_of(trimmed(asked.substr(kUnit.size())), size);
}

std::string content_range(const Range& range, std::uint64_t size) {
  const auto whole = "/" + std::to_string(size);
  if (range.kind == Range::Kind::unsatisfiable) return "bytes *" + whole;
  return "bytes " + std::to_string(range.first) + "-" + std::to_string(range.first + range.length - 1) + whole;
}

}  // namespace parley::http
