#include "tests/simulator/media.hpp"

#include <algorithm>
#include <array>

#include "common/http/message.hpp"
#include "common/model/text.hpp"
#include "tests/simulator/signing.hpp"

namespace parley::simulator {

namespace {

constexpr std::size_t kMegabyte = 1 << 20;

struct Kind {
  std::string_view mime_type;
  std::size_t most;
};

// Documents may have any other type, too.
constexpr std::array<Kind, 12> kKinds{{{"image/jpeg", 5 * kMegabyte},
                                       {"image/png", 5 * kMegabyte},
                                       {"image/webp", 500 * 1024},
                                       {"audio/aac", 16 * kMegabyte},
                                       {"audio/mp4", 16 * kMegabyte},
                                       {"audio/mpeg", 16 * kMegabyte},
                                       {"audio/amr", 16 * kMegabyte},
                                       {"audio/ogg", 16 * kMegabyte},
                                       {"video/mp4", 16 * kMegabyte},
                                       {"video/3gp", 16 * kMegabyte},
                                       {"video/3gpp", 16 * kMegabyte},
                                       {"text/plain", 100 * kMegabyte}}};

std::string_view parameter_of(std::string_view field, std::string_view name) {
  for (auto at = field.find(';'); at != field.npos; at = field.find(';', at + 1)) {
    auto rest = field.substr(at + 1);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (!rest.starts_with(name) || !rest.substr(name.size()).starts_with('=')) continue;
    rest.remove_prefix(name.size() + 1);
    if (!rest.starts_with('"')) return rest.substr(0, rest.find_first_of("; "));
    rest.remove_prefix(1);
    return rest.substr(0, rest.find('"'));
  }
  return {};
}

std::string_view field_of(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const auto line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(std::min(head.size(), line.size() + 2));
    const auto colon = line.find(':');
    if (colon == line.npos || !model::equals_ignoring_case(line.substr(0, colon), name)) continue;
    auto value = line.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    return value;
  }
  return {};
}

}  // namespace

const Media& MediaStore::add(std::string mime_type, std::string octets) {
  size_ += octets.size();
  files_.push_back({std::to_string(500'000'000'000'000 + ++next_), std::move(mime_type),
                    std::make_shared<const std::string>(std::move(octets))});
  while (size_ > kMax && files_.size() > 1) {
    size_ -= files_.front().octets->size();
    files_.pop_front();
  }
  return files_.back();
}

const Media* MediaStore::find(std::string_view id) const {
  const auto found = std::find_if(files_.begin(), files_.end(), [&](const auto& file) { return file.id == id; });
  return found == files_.end() ? nullptr : &*found;
}

bool MediaStore::remove(std::string_view id) {
  const auto found = std::find_if(files_.begin(), files_.end(), [&](const auto& file) { return file.id == id; });
  if (found == files_.end()) return false;
  size_ -= found->octets->size();
  files_.erase(found);
  return true;
}

std::optional<std::string> refusal_of_media(std::string_view mime_type, std::size_t size) {
  const auto plain = mime_type.substr(0, mime_type.find(';'));
  const auto* const known =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& kind) { return kind.mime_type == plain; });
  if (known == kKinds.end() && !plain.starts_with("application/"))
    return "Param file must be a file with one of the following types: audio/aac, audio/mp4, audio/mpeg, audio/amr, "
           "audio/ogg, audio/opus, application/vnd.ms-powerpoint, application/msword, application/pdf, text/plain, "
           "application/vnd.ms-excel, image/jpeg, image/png, image/webp, video/mp4, video/3gpp. Received file of type "
           "'" +
           std::string(plain) + "'.";
  const auto most = known == kKinds.end() ? 100 * kMegabyte : known->most;
  if (size > most) return "Param file is larger than the " + std::to_string(most) + " octets that its type may have.";
  if (size == 0) return "Param file must not be empty.";
  return std::nullopt;
}

std::optional<Upload> read_upload(std::string_view content_type, std::string_view body) {
  const auto boundary = parameter_of(content_type, "boundary");
  if (!content_type.starts_with("multipart/form-data") || boundary.empty()) return std::nullopt;
  const auto delimiter = "--" + std::string(boundary);
  if (!body.starts_with(delimiter)) return std::nullopt;
  body.remove_prefix(delimiter.size());
  Upload out;
  while (body.starts_with("\r\n")) {
    const auto end = body.find("\r\n" + delimiter);
    const auto blank = body.find("\r\n\r\n");
    if (end == body.npos || blank == body.npos || blank > end) return std::nullopt;
    const auto head = body.substr(2, blank - 2);
    const auto content = blank + 4 > end ? std::string_view{} : body.substr(blank + 4, end - blank - 4);
    const auto name = parameter_of(field_of(head, "Content-Disposition"), "name");
    if (name == "messaging_product") out.messaging_product = content;
    if (name == "type") out.type = content;
    if (name == "file") {
      out.file = content;
      out.has_file = true;
      if (out.type.empty()) out.type = field_of(head, "Content-Type");
    }
    body.remove_prefix(end + 2 + delimiter.size());
  }
  if (!body.starts_with("--")) return std::nullopt;
  return out;
}

}  // namespace parley::simulator
