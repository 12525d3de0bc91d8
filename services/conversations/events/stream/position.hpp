#pragma once
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "common/model/uuid.hpp"

namespace parley::conversations::stream {

// How far somebody has been told: a position of the feed, and of the changes of the event there. As text it is an
// event's `id:`, opaque to clients.
struct Position {
  static constexpr std::int32_t kWhole = std::numeric_limits<std::int32_t>::max();
  model::Uuid epoch;
  std::int64_t position = 0;
  std::int32_t index = kWhole;  // the last change that was told of the event

  std::string text() const;
  static std::optional<Position> parse(std::string_view text);
  bool operator==(const Position&) const = default;
};

}  // namespace parley::conversations::stream
