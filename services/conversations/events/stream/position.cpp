#include "conversations/events/stream/position.hpp"

#include <cstring>

#include "common/identity/keys.hpp"

namespace parley::conversations::stream {

namespace {

constexpr std::size_t kOctets = 16 + 8 + 4;

template <class Integer>
void append(std::string& out, Integer value) {
  for (int shift = static_cast<int>(sizeof value) * 8 - 8; shift >= 0; shift -= 8)
    out += static_cast<char>(value >> shift & 0xff);
}

template <class Integer>
Integer take(std::string_view& octets) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Integer); ++i) value = value << 8 | static_cast<unsigned char>(octets[i]);
  octets.remove_prefix(sizeof(Integer));
  return static_cast<Integer>(value);
}

}  // namespace

std::string Position::text() const {
  std::string octets(reinterpret_cast<const char*>(epoch.bytes.data()), epoch.bytes.size());
  append(octets, position);
  append(octets, index);
  return identity::to_base64url(octets);
}

std::optional<Position> Position::parse(std::string_view text) {
  const auto octets = identity::from_base64url(text);
  if (!octets || octets->size() != kOctets) return std::nullopt;
  Position out;
  std::memcpy(out.epoch.bytes.data(), octets->data(), out.epoch.bytes.size());
  std::string_view rest = std::string_view(*octets).substr(out.epoch.bytes.size());
  out.position = take<std::int64_t>(rest);
  out.index = take<std::int32_t>(rest);
  if (out.position < 0 || out.index < 0) return std::nullopt;
  return out;
}

}  // namespace parley::conversations::stream
