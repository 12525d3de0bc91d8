#pragma once
// The channel's limits for messages, in characters and counts.
#include <cstddef>

namespace parley::cloud_api {

inline constexpr std::size_t kMaxTextLength = 4096;
inline constexpr std::size_t kMaxCaptionLength = 1024;
inline constexpr std::size_t kMaxFileNameLength = 240;
inline constexpr std::size_t kMaxNameLength = 1000;
inline constexpr std::size_t kMaxReactionLength = 32;  // an emoji may be several code points
inline constexpr std::size_t kMaxMediaIdLength = 256;
inline constexpr std::size_t kMaxTemplateNameLength = 512;
inline constexpr std::size_t kMaxParameterLength = 1024;
inline constexpr std::size_t kMaxWordLength = 64;
inline constexpr std::size_t kMaxCards = 257;
inline constexpr std::size_t kMaxHeaderLength = 60;
inline constexpr std::size_t kMaxBodyLength = 1024;
inline constexpr std::size_t kMaxListBodyLength = 4096;
inline constexpr std::size_t kMaxFooterLength = 60;
inline constexpr std::size_t kMaxButtons = 3;
inline constexpr std::size_t kMaxButtonIdLength = 256;
inline constexpr std::size_t kMaxButtonLength = 20;
inline constexpr std::size_t kMaxSections = 10;
inline constexpr std::size_t kMaxRows = 10;  // over all sections
inline constexpr std::size_t kMaxSectionLength = 24;
inline constexpr std::size_t kMaxRowIdLength = 200;
inline constexpr std::size_t kMaxRowLength = 24;
inline constexpr std::size_t kMaxRowDescriptionLength = 72;
// The maximum octets of a messageData, far above all its limits together; bounds fields without a limit of the channel.
inline constexpr std::size_t kLargestContent = 64 * 1024;
// The same for returned content, where numbers are written out (model::kept_size), and for content from the channel.
inline constexpr std::size_t kLargestKept = 2 * kLargestContent;

}  // namespace parley::cloud_api
