#pragma once
#include <boost/describe/class.hpp>

#include "common/model/message.hpp"

namespace parley::conversations::media {

// A file that the channel keeps for 30 days; messages refer to its id.
struct Uploaded {
  std::string id;
  std::string mimeType;
  std::int64_t size = 0;  // octets
};
BOOST_DESCRIBE_STRUCT(Uploaded, (), (id, mimeType, size))

struct UploadedResponse {
  Uploaded media;
};
BOOST_DESCRIBE_STRUCT(UploadedResponse, (), (media))

struct FoundRow {
  model::MessageType message_type = model::MessageType::Image;
  std::optional<std::string> media_id;  // null: the message was sent with a link
  std::optional<std::string> mime_type, file_name;
};
BOOST_DESCRIBE_STRUCT(FoundRow, (), (message_type, media_id, mime_type, file_name))

}  // namespace parley::conversations::media
