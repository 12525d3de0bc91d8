#include "conversations/channel/media/kinds.hpp"

#include <algorithm>
#include <array>

#include "common/model/text.hpp"

namespace parley::conversations::media {

namespace {

constexpr std::uint64_t kKilobyte = 1024, kMegabyte = 1024 * kKilobyte;

// The Cloud API's types and sizes. Animated stickers may have 500 KB, others 100 KB: only the channel can tell.
constexpr std::array kKinds{
    Kind{"image/jpeg", 5 * kMegabyte, true, true},
    Kind{"image/png", 5 * kMegabyte, true, true},
    Kind{"image/webp", 500 * kKilobyte, true},
    Kind{"audio/aac", 16 * kMegabyte, true},
    Kind{"audio/amr", 16 * kMegabyte, true},
    Kind{"audio/mp4", 16 * kMegabyte, true},
    Kind{"audio/mpeg", 16 * kMegabyte, true},
    Kind{"audio/ogg", 16 * kMegabyte, true},
    Kind{"video/3gpp", 16 * kMegabyte, true},
    Kind{"video/mp4", 16 * kMegabyte, true, true},
    Kind{"text/plain", 100 * kMegabyte, false},
    Kind{"application/pdf", 100 * kMegabyte, false, true},
    Kind{"application/msword", 100 * kMegabyte, false},
    Kind{"application/vnd.ms-excel", 100 * kMegabyte, false},
    Kind{"application/vnd.ms-powerpoint", 100 * kMegabyte, false},
    Kind{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", 100 * kMegabyte, false},
    Kind{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", 100 * kMegabyte, false},
    Kind{"application/vnd.openxmlformats-officedocument.presentationml.presentation", 100 * kMegabyte, false},
};

bool is_media_type(std::string_view text) {
  return text.size() > 2 && text.size() <= 255 && text.find('/') != text.npos &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 127; });
}

}  // namespace

std::string type_of(std::span<const http::Field> fields, std::string_view mime_type) {
  const auto type = http::find_field(fields, "Content-Type");
  if (is_media_type(type)) return std::string(type);
  return is_media_type(mime_type) ? std::string(mime_type) : "application/octet-stream";
}

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
