#pragma once
// The channel's limits: characters, and counts.
#include <cstddef>
#include <optional>
#include <string>

#include "common/http/problem.hpp"
#include "conversations/channel/shapes.hpp"

namespace parley::conversations::channel {

inline constexpr std::size_t kLongestText = 4096;
inline constexpr std::size_t kLongestCaption = 1024;
inline constexpr std::size_t kLongestFileName = 240;
inline constexpr std::size_t kLongestName = 1000;
inline constexpr std::size_t kLongestReaction = 32;  // an emoji may be several code points
inline constexpr std::size_t kLongestMediaId = 256;
inline constexpr std::size_t kLongestTemplateName = 512;
inline constexpr std::size_t kLongestParameter = 1024;
inline constexpr std::size_t kLongestWord = 64;
inline constexpr std::size_t kMostCards = 257;
inline constexpr std::size_t kLongestHeader = 60;
inline constexpr std::size_t kLongestBody = 1024;
inline constexpr std::size_t kLongestListBody = 4096;
inline constexpr std::size_t kLongestFooter = 60;
inline constexpr std::size_t kMostButtons = 3;
inline constexpr std::size_t kLongestButtonId = 256;
inline constexpr std::size_t kLongestButton = 20;
inline constexpr std::size_t kMostSections = 10;
inline constexpr std::size_t kMostRows = 10;  // of all sections
inline constexpr std::size_t kLongestSection = 24;
inline constexpr std::size_t kLongestRowId = 200;
inline constexpr std::size_t kLongestRow = 24;
inline constexpr std::size_t kLongestRowDescription = 72;
// Octets of a messageData: far above what all its limits together allow. What the channel has no limit for, it holds.
inline constexpr std::size_t kLargestContent = 64 * 1024;

void check_media(const std::string& at, const Media& media, http::Faults& faults);

// A fault unless it is there; whether it is.
template <class T>
bool check_there(const std::string& at, const std::optional<T>& value, http::Faults& faults) {
  if (!value) faults.add(at, "is required");
  return value.has_value();
}

}  // namespace parley::conversations::channel
