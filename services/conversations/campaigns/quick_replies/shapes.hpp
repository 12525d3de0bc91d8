#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/page.hpp"
#include "common/model/message.hpp"
#include "common/model/page.hpp"
#include "common/model/versioned.hpp"

namespace parley::conversations::quick_replies {

inline constexpr std::string_view kQuota = "quick-replies";  // see chassis/quotas.hpp

enum class MediaType { Image, Video, Document };
BOOST_DESCRIBE_ENUM(MediaType, Image, Video, Document)

struct Media {
  MediaType type = MediaType::Image;
  std::optional<std::string> id, link, fileName;  // either an id from POST media, or a link

  bool operator==(const Media&) const = default;
};
BOOST_DESCRIBE_STRUCT(Media, (), (type, id, link, fileName))

// A text with variables, as a campaign's, that the organization has ready for its members to send; with a medium it is
// the caption.
struct QuickReply {
  model::Uuid uniqueId;
  std::string shortcut;
  std::string text;
  std::optional<Media> media;
  model::Timestamp createdAt, updatedAt;
};
BOOST_DESCRIBE_STRUCT(QuickReply, (), (uniqueId, shortcut, text, media, createdAt, updatedAt))

// ---- requests -------------------------------------------------------------------------------------------------------

enum class SortBy { shortcut };
BOOST_DESCRIBE_ENUM(SortBy, shortcut)

// GET /api/quick-replies
struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by))

using Filter = http::PageFilter<SortBy>;

// The body of POST /api/quick-replies and of POST /api/quick-replies/{id}, where all members may be left out.
struct ReplyBody {
  model::Nullable<std::string> shortcut, text;
  model::Nullable<Media> media;
};
BOOST_DESCRIBE_STRUCT(ReplyBody, (), (shortcut, text, media))

struct Changes {
  ReplyBody body;
  bool no_media = false;  // media: null
};

// GET /api/quick-replies/{id}/preview
struct PreviewQuery {
  std::optional<model::Uuid> contact_id;
};
BOOST_DESCRIBE_STRUCT(PreviewQuery, (), (contact_id))

// ---- responses ------------------------------------------------------------------------------------------------------

struct ReplyResponse {
  QuickReply quickReply;
};
BOOST_DESCRIBE_STRUCT(ReplyResponse, (), (quickReply))

struct PageResponse {
  std::vector<QuickReply> quickReplies;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (quickReplies, paginationMeta))

// A message that can be sent as it is, unless values that it needs are missing.
struct Preview {
  std::optional<model::Uuid> contactId;  // null: rendered with fallbacks only
  model::MessageType messageType = model::MessageType::Text;
  model::RawJson messageData;
  std::vector<std::string> missing;  // variables without a value and without a fallback
};
BOOST_DESCRIBE_STRUCT(Preview, (), (contactId, messageType, messageData, missing))

struct PreviewResponse {
  Preview preview;
};
BOOST_DESCRIBE_STRUCT(PreviewResponse, (), (preview))

// ---- rows -----------------------------------------------------------------------------------------------------------

// No column fills `media`: see reply_of().
struct ReplyRow : QuickReply {
  std::optional<std::string> media_json;
  std::string version;
};
BOOST_DESCRIBE_STRUCT(ReplyRow, (QuickReply), (media_json, version))

using VersionedReply = model::Versioned<QuickReply>;

}  // namespace parley::conversations::quick_replies
