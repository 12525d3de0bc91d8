#include "conversations/channel/media/kinds.hpp"

#include <algorithm>
#include <array>

#include "common/model/text.hpp"

namespace parley::conversations::media {

namespace {

constexpr std::uint64_t kKilobyte = 1024, kMegabyte = 1024 * kKilobyte;

// The Cloud API's types and sizes. Animated stickers may have 500 KB, others 100 KB: only the channel can tell.
constexpr std::array kKinds{
    Kind{"image/jpeg", 5 * kMegabyte, true},
    Kind{"image/png", 5 * kMegabyte, true},
    Kind{"image/webp", 500 * kKilobyte, true},
    Kind{"audio/aac", 16 * kMegabyte, true},
    Kind{"audio/amr", 16 * kMegabyte, true},
    Kind{"audio/mp4", 16 * kMegabyte, true},
    Kind{"audio/mpeg", 16 * kMegabyte, true},
    Kind{"audio/ogg", 16 * kMegabyte, true},
    Kind{"video/3gpp", 16 * kMegabyte, true},
    Kind{"video/mp4", 16 * kMegabyte, true},
    Kind{"text/plain", 100 * kMegabyte, false},
    Kind{"application/pdf", 100 * kMegabyte, false},
    Kind{"application/msword", 100 * kMegabyte, false},
    Kind{"application/vnd.ms-excel", 100 * kMegabyte, false},
    Kind{"application/vnd.ms-powerpoint", 100 * kMegabyte, false},
    Kind{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", 100 * kMegabyte, false},
    Kind{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", 100 * kMegabyte, false},
    Kind{"application/vnd.openxmlformats-officedocument.presentationml.presentation", 100 * kMegabyte, false},
};

}  // namespace

const Kind* find_kind(std::string_view content_type) {
  auto type = content_type.substr(0, content_type.find(';'));
  while (!type.empty() && type.back() == ' ') type.remove_suffix(1);
  const auto* const found = std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& kind) {
    return model::equals_ignoring_case(kind.mime_type, type);
  });
  return found == kKinds.end() ? nullptr : found;
}

std::string_view known_kinds() {
  return "image/jpeg, image/png, image/webp, audio/aac, audio/amr, audio/mp4, audio/mpeg, audio/ogg, video/3gpp, "
         "video/mp4, text/plain, application/pdf, or a Word, Excel or PowerPoint document";
}

}  // namespace parley::conversations::media
