#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/http/page.hpp"
#include "common/model/campaign.hpp"
#include "common/model/page.hpp"

namespace parley::conversations::campaigns {

enum class SortBy { createdAt, name };
BOOST_DESCRIBE_ENUM(SortBy, createdAt, name)

// The parameters of GET /api/campaigns.
struct ListQuery : http::PageQuery {
  std::optional<SortBy> sort_by;
  std::optional<model::CampaignStatus> status;
  std::optional<model::Uuid> list_id;
  std::optional<std::string> tag;  // a tag's id or label
};
BOOST_DESCRIBE_STRUCT(ListQuery, (http::PageQuery), (sort_by, status, list_id, tag))

// The checked parameters.
struct Filter : http::PageFilter<SortBy> {
  std::optional<model::CampaignStatus> status;
  std::optional<model::Uuid> list_id;
  std::optional<std::string> tag;
};

// The body of POST /api/campaigns and POST /api/campaigns/{id}: absent members keep their value or get the default.
struct CampaignBody {
  std::optional<std::string> name, description;
  std::optional<model::RawJson> message;
  std::optional<std::vector<model::CampaignVariant>> variants;
  std::optional<std::vector<model::Uuid>> listIds, excludedListIds, segmentIds;
  std::optional<std::vector<std::string>> tags;  // tag ids or labels
  model::Nullable<std::string> phoneNumberId;
  model::Nullable<std::string> scheduledAt;  // a date-time; without an offset it is local to the time zone
  std::optional<std::string> timezone;
  std::optional<std::int64_t> allowedLatenessSeconds;
  model::Nullable<std::int64_t> messagesPerSecond;
};
BOOST_DESCRIBE_STRUCT(CampaignBody, (),
                      (name, description, message, variants, listIds, excludedListIds, segmentIds, tags, phoneNumberId,
                       scheduledAt, timezone, allowedLatenessSeconds, messagesPerSecond))

// The body of POST /api/campaigns/{id}/start, which may be left out.
struct StartBody {
  std::optional<std::int64_t> delaySeconds;
};
BOOST_DESCRIBE_STRUCT(StartBody, (), (delaySeconds))

// The body of POST /api/campaigns/{id}/duplicate, which may be left out.
struct DuplicateBody {
  std::optional<std::string> name;
};
BOOST_DESCRIBE_STRUCT(DuplicateBody, (), (name))

// The checked body. Null clears a value, so that a response with nulls may be sent back.
struct Changes {
  CampaignBody body;
  bool no_phone_number = false, no_schedule = false, no_rate = false;
  // Resolved with other services or the database, if the body has them:
  std::optional<model::Timestamp> scheduled_at;
  std::vector<model::Tag> tags;
};

struct CampaignResponse {
  model::Campaign campaign;
};
BOOST_DESCRIBE_STRUCT(CampaignResponse, (), (campaign))

struct PageResponse {
  std::vector<model::Campaign> campaigns;
  model::PaginationMeta paginationMeta;
};
BOOST_DESCRIBE_STRUCT(PageResponse, (), (campaigns, paginationMeta))

}  // namespace parley::conversations::campaigns
