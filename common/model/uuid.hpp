#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace parley::model {

// A 128-bit identifier (RFC 9562). New ones are version 7, which sort by creation time.
struct Uuid {
  std::array<unsigned char, 16> bytes{};

  // The canonical 36 characters, either case; anything else is nullopt.
  static std::optional<Uuid> parse(std::string_view text);
  // Appends the 36 lower-case characters.
  void append_to(std::string& out) const;
  std::string text() const;
  bool is_nil() const { return *this == Uuid{}; }
  // Milliseconds since 1970 that a version 7 identifier carries.
  std::int64_t milliseconds() const;

  auto operator<=>(const Uuid&) const = default;
};

// A new version 7 identifier; those of one process are strictly increasing, so pages ordered by id follow creation.
Uuid new_uuid();

}  // namespace parley::model

template <>
struct std::hash<parley::model::Uuid> {
  std::size_t operator()(const parley::model::Uuid& id) const noexcept {
    std::uint64_t halves[2];
    std::memcpy(halves, id.bytes.data(), sizeof halves);
    return halves[0] ^ (halves[1] * 0x9E3779B97F4A7C15ull);
  }
};
