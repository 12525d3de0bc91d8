#pragma once
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "common/model/uuid.hpp"

namespace parley::conversations::stream {

// A place in the stream: a position of the feed, and a change of its event. Its text is the `id:` of an event.
struct Position {
  static constexpr std::int32_t kWhole = std::numeric_limits<std::int32_t>::max();
  model::Uuid epoch;
  std::int64_t position = 0;
  std::int32_t index = kWhole;  // the event's last change sent

  std::string text() const;
  static std::optional<Position> parse(std::string_view text);
  bool operator==(const Position&) const = default;
};

}  // namespace parley::conversations::stream
