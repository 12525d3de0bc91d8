#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

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

// The store that has a file.
BOOST_DEFINE_ENUM_CLASS(Place, Database, Bucket)

// Why there is no copy, nor will be one.
BOOST_DEFINE_ENUM_CLASS(Reason, Gone, OverBound, Unavailable, Expired)

// A file that a template shows as an example. The channel takes the handle when the template is made.
struct Example {
  std::string handle;
  std::string mimeType;
  std::int64_t size = 0;  // octets
};
BOOST_DESCRIBE_STRUCT(Example, (), (handle, mimeType, size))

struct ExampleResponse {
  Example media;
};
BOOST_DESCRIBE_STRUCT(ExampleResponse, (), (media))

struct FoundRow {
  model::MessageType message_type = model::MessageType::Image;
  std::optional<std::string> media_id;  // null: the message was sent with a link
  std::optional<std::string> file_name;
  std::optional<Reason> reason;
  std::optional<Place> place;  // null: no copy is kept
  std::optional<std::int64_t> octets;
  std::optional<std::string> sha256;     // of the copy, hexadecimal
  std::optional<std::string> mime_type;  // of the copy
};
BOOST_DESCRIBE_STRUCT(FoundRow, (), (message_type, media_id, file_name, reason, place, octets, sha256, mime_type))

// A file and the attempt to copy it that its row was leased to.
struct ClaimedRow {
  model::Uuid organization_id, message_id;
  std::string media_id;
  model::Uuid lease;
  std::int32_t attempts = 0;
  std::int64_t age = 0;  // seconds
};
BOOST_DESCRIBE_STRUCT(ClaimedRow, (), (organization_id, message_id, media_id, lease, attempts, age))

struct LookRow {
  std::int64_t waiting = 0;
  double oldest_seconds = 0;
  std::int64_t garbage = 0;
  bool due = false;  // some of those that wait
};
BOOST_DESCRIBE_STRUCT(LookRow, (), (waiting, oldest_seconds, garbage, due))

}  // namespace parley::conversations::media
