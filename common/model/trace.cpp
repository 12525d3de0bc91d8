#include "common/model/trace.hpp"

#include <algorithm>
#include <random>

namespace parley::model {

namespace {

constexpr char kHex[] = "0123456789abcdef";
constexpr std::size_t kMaxOctets = 512;
constexpr std::size_t kMaxMembers = 32;

// Lower case alone; false for anything else.
template <class Number>
bool read_hex(std::string_view text, Number& out) {
  std::uint64_t number = 0;
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit && !(c >= 'a' && c <= 'f')) return false;
    number = number << 4 | static_cast<unsigned>(is_digit ? c - '0' : c - 'a' + 10);
  }
  out = static_cast<Number>(number);
  return true;
}

char* write_hex(char* to, std::uint64_t number, int digits) {
  for (int i = digits - 1; i >= 0; --i) *to++ = kHex[number >> (4 * i) & 15];
  return to;
}

std::uint64_t random_id() {
  thread_local std::mt19937_64 random{[] {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
  }()};
  for (;;)
    if (const auto id = random()) return id;
}

bool is_key(std::string_view key) {
  const auto is_begin = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !key.empty() && key.size() <= 256 && is_begin(key.front()) && std::all_of(key.begin(), key.end(), [&](char c) {
    return is_begin(c) || c == '_' || c == '-' || c == '*' || c == '/' || c == '@';
  });
}

bool is_value(std::string_view value) {
  return !value.empty() && value.size() <= 256 &&
         std::all_of(value.begin(), value.end(), [](char c) { return c >= 0x20 && c <= 0x7E && c != '='; });
}

}  // namespace

std::optional<TraceContext> TraceContext::parse(std::string_view text) {
  TraceContext out;
  unsigned char version = 0;
  if (text.size() < 55 || text[2] != '-' || text[35] != '-' || text[52] != '-') return std::nullopt;
  const bool is_hex = read_hex(text.substr(0, 2), version) && read_hex(text.substr(3, 16), out.trace_high) &&
                      read_hex(text.substr(19, 16), out.trace_low) && read_hex(text.substr(36, 16), out.span) &&
                      read_hex(text.substr(53, 2), out.flags);
  if (!is_hex || version == 0xFF || out.span == 0 || (out.trace_high == 0 && out.trace_low == 0)) return std::nullopt;
  if (text.size() > 55 && (version == 0 || text[55] != '-')) return std::nullopt;
  out.flags &= kSampled | kRandom;
  return out;
}

TraceContext TraceContext::begin() { return {random_id(), random_id(), random_id(), kRandom}; }

TraceContext TraceContext::child() const { return {trace_high, trace_low, random_id(), flags}; }

TraceContext::Text TraceContext::text() const {
  Text out;
  char* to = std::copy_n("00-", 3, out.data());
  to = write_hex(write_hex(to, trace_high, 16), trace_low, 16);
  *to++ = '-';
  to = write_hex(to, span, 16);
  *to++ = '-';
  write_hex(to, flags, 2);
  return out;
}

void append_hex(std::string& out, std::uint64_t number) {
  char text[16];
  write_hex(text, number, 16);
  out.append(text, sizeof text);
}

bool is_tracestate(std::string_view text) {
  if (text.empty() || text.size() > kMaxOctets) return false;
  std::size_t members = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const auto comma = std::min(text.find(',', at), text.size());
    auto member = text.substr(at, comma - at);
    at = comma + 1;
    const auto first = member.find_first_not_of(" \t");
    if (first == member.npos) continue;  // members may be empty
    member = member.substr(first, member.find_last_not_of(" \t") - first + 1);
    const auto equals = member.find('=');
    if (equals == member.npos || ++members > kMaxMembers) return false;
    if (!is_key(member.substr(0, equals)) || !is_value(member.substr(equals + 1))) return false;
  }
  return members > 0;
}

}  // namespace parley::model
