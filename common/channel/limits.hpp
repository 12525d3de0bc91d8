#pragma once
// The channel's limits of messages: characters, and counts.
#include <cstddef>

namespace parley::cloud_api {

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
// The same of what is given back, where numbers are written out (model::kept_size), and of what the channel brings.
inline constexpr std::size_t kLargestKept = 2 * kLargestContent;

}  // namespace parley::cloud_api
