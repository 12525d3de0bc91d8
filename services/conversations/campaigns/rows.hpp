#pragma once
#include "conversations/campaigns/progress.hpp"

namespace parley::conversations::campaigns {

struct CampaignRow {
  model::Uuid uniqueId;
  std::string name, description;
  model::CampaignStatus status = model::CampaignStatus::Draft;
  std::string statusReason;
  model::RawJson message, variants;
  std::vector<model::Uuid> listIds, excludedListIds, segmentIds;
  std::vector<std::string> toldTags;  // pairs: id, then the label when the tag was added
  std::optional<std::string> phoneNumberId;
  std::optional<model::Timestamp> scheduledAt;
  std::string timezone;
  std::int64_t allowedLatenessSeconds = 0;
  std::optional<std::int64_t> messagesPerSecond;
  model::Timestamp createdAt, updatedAt;
  std::optional<model::Timestamp> startedAt, finishedAt;
  bool audienceDone = false, ahead = false;
  bool held = false;           // only an operator can release it: it cannot be resumed
  bool numberByStart = false;  // phoneNumberId is the account's, and nobody chose it
  std::string version;
  bool hasExperiment = false;
};
BOOST_DESCRIBE_STRUCT(CampaignRow, (),
                      (uniqueId, name, description, status, statusReason, message, variants, listIds, excludedListIds,
                       segmentIds, toldTags, phoneNumberId, scheduledAt, timezone, allowedLatenessSeconds,
                       messagesPerSecond, createdAt, updatedAt, startedAt, finishedAt, audienceDone, ahead, held,
                       numberByStart, version, hasExperiment))

struct PageRow : CampaignRow {
  std::int64_t octets = 0;  // running sum of message octets: beyond http::kMaxPageOctets the page ends before this row
};
BOOST_DESCRIBE_STRUCT(PageRow, (CampaignRow), (octets))

struct StandingRow : Standing {
  model::Uuid id;
};
BOOST_DESCRIBE_STRUCT(StandingRow, (Standing), (id))

}  // namespace parley::conversations::campaigns
