#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley::simulator {

struct Media {
  std::string id, mime_type;
  std::shared_ptr<const std::string> octets;
};

// Files that were uploaded or came with messages. Bounded: drops the oldest.
class MediaStore {
 public:
  static constexpr std::size_t kMax = 256 << 20;  // octets

  const Media& add(std::string mime_type, std::string octets);
  // Valid until the next add() or remove(); nullptr if unknown.
  const Media* find(std::string_view id) const;
  bool remove(std::string_view id);

 private:
  std::deque<Media> files_;
  std::size_t size_ = 0;
  std::uint64_t next_ = 0;
};

// Why the channel refuses a file of this type and size; nullopt if it accepts it.
std::optional<std::string> refusal_of_media(std::string_view mime_type, std::size_t size);

// From a multipart/form-data body (RFC 7578).
struct Upload {
  std::string messaging_product, type;  // `type`: or the file's own Content-Type
  std::string_view file;                // points into the body
  bool has_file = false;
};
// nullopt if the body is malformed.
std::optional<Upload> read_upload(std::string_view content_type, std::string_view body);

}  // namespace parley::simulator
