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

// Files that were uploaded, or came with messages. Bounded: the oldest go first.
class MediaStore {
 public:
  static constexpr std::size_t kMax = 256 << 20;  // octets

  // The id that it has from now on.
  const Media& add(std::string mime_type, std::string octets);
  // Valid until the next add() or remove(); nullptr when there is none.
  const Media* find(std::string_view id) const;
  bool remove(std::string_view id);

 private:
  std::deque<Media> files_;
  std::size_t size_ = 0;
  std::uint64_t next_ = 0;
};

// Why the channel refuses a file of this kind and size; nullopt when it takes it.
std::optional<std::string> refusal_of_media(std::string_view mime_type, std::size_t size);

// One file of a multipart/form-data body (RFC 7578), with the other fields that the channel wants.
struct Upload {
  std::string messaging_product, type;  // `type` also of the file's own Content-Type
  std::string_view file;                // in the body
  bool has_file = false;
};
// nullopt when the body is no such thing.
std::optional<Upload> read_upload(std::string_view content_type, std::string_view body);

}  // namespace parley::simulator
