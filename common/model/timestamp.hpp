#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::model {

// A time in UTC with milliseconds: date-time in the API.
struct Timestamp {
  std::int64_t milliseconds_since_epoch = 0;

  static Timestamp now();
  // Parses an RFC 3339 date-time with a zone, or a date, meaning its start in UTC. Returns nullopt for nonexistent days
  // (2024-02-30), years outside 1970..9998 and leap seconds.
  static std::optional<Timestamp> parse(std::string_view text);
  // Appends 2026-01-31T12:34:56.789Z.
  void append_to(std::string& out) const;
  std::string text() const;

  auto operator<=>(const Timestamp&) const = default;
};

}  // namespace parley::model
