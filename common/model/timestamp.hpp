#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::model {

// A moment in UTC, to the millisecond: what the interface calls date-time.
struct Timestamp {
  std::int64_t milliseconds_since_epoch = 0;

  static Timestamp now();
  // RFC 3339 date-time with a zone, or a date alone, which is its first moment in UTC. Days that do not exist
  // (2024-02-30), years outside 1970..9998 and leap seconds are nullopt.
  static std::optional<Timestamp> parse(std::string_view text);
  // Appends 2026-01-31T12:34:56.789Z.
  void append_to(std::string& out) const;
  std::string text() const;

  auto operator<=>(const Timestamp&) const = default;
};

}  // namespace parley::model
