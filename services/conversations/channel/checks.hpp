#pragma once
#include <optional>
#include <string>

#include "common/http/problem.hpp"
#include "conversations/channel/shapes.hpp"

namespace parley::conversations::channel {

void check_media(const std::string& at, const Media& media, http::Faults& faults);

// Adds a fault if the value is missing.
template <class T>
bool check_there(const std::string& at, const std::optional<T>& value, http::Faults& faults) {
  if (!value) faults.add(at, "is required");
  return value.has_value();
}

}  // namespace parley::conversations::channel
