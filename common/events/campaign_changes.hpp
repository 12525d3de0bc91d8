#pragma once
// Events of conversations about campaigns, which analytics counts. A recipient is a pair of campaign and contact and
// has one outbound message. Every change is a difference: applied once each, in any order, the changes add up to the
// figures of GET /api/analytics/campaigns.
//
// The JSON, which SQL may also write (jsonb_build_object), has the member names below, after `"type"`. Times are RFC
// 3339; `sentAt` is the createdAt of the recipient's message, the same in every change about it.
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/campaign.hpp"
#include "common/model/json.hpp"
#include "common/model/message.hpp"

namespace parley::events {

// `count` recipients' messages, all sent in the same quarter of an hour (`sentAt` is any time in it), changed status.
// `from` is null for a new message. Sent messages stay counted, whatever is deleted later.
struct CampaignMessages {
  static constexpr std::string_view type = "campaign.messages";
  model::Uuid organizationId;
  model::Uuid campaignId;
  model::Timestamp sentAt;
  std::optional<model::MessageStatus> from;
  model::MessageStatus to = model::MessageStatus::Queued;
  std::optional<std::int64_t> count;  // default 1
};
BOOST_DESCRIBE_STRUCT(CampaignMessages, (), (organizationId, campaignId, sentAt, from, to, count))

// Messages of a campaign opened `count` conversations.
struct CampaignConversations {
  static constexpr std::string_view type = "campaign.conversations";
  model::Uuid organizationId;
  model::Uuid campaignId;
  model::Timestamp sentAt;
  std::optional<std::int64_t> count;  // default 1
};
BOOST_DESCRIBE_STRUCT(CampaignConversations, (), (organizationId, campaignId, sentAt, count))

// A recipient replied: an inbound message that quotes the campaign's message, or that conversations attribute to it.
// `first`: the recipient's first reply to this campaign. `engaged`: the recipient's first reply or click, whichever
// came first.
struct CampaignReply {
  static constexpr std::string_view type = "campaign.reply";
  model::Uuid organizationId;
  model::Uuid campaignId;
  model::Timestamp sentAt;
  model::Timestamp at;  // when the reply was made
  bool first = false;
  bool engaged = false;
};
BOOST_DESCRIBE_STRUCT(CampaignReply, (), (organizationId, campaignId, sentAt, at, first, engaged))

// A campaign's name, audience and tags; emitted when the campaign is created and when one of these changes. The newest
// holds. A deleted campaign keeps its description, as its figures remain.
struct CampaignDescribed {
  static constexpr std::string_view type = "campaign.described";
  model::Uuid organizationId;
  model::Uuid campaignId;
  std::string name;
  std::vector<model::Uuid> listIds;
  std::vector<std::string> tags;  // the ids and labels of its tags, for filters
};
BOOST_DESCRIBE_STRUCT(CampaignDescribed, (), (organizationId, campaignId, name, listIds, tags))

// A campaign changed status. `first` is set at its first start, from which on its lists count it.
struct CampaignStatusChanged {
  static constexpr std::string_view type = "campaign.status";
  model::Uuid organizationId;
  model::Uuid campaignId;
  model::CampaignStatus from = model::CampaignStatus::Draft;
  model::CampaignStatus to = model::CampaignStatus::Draft;
  std::string reason;  // if Paused
  bool first = false;
  std::vector<model::Uuid> listIds;  // its audience
};
BOOST_DESCRIBE_STRUCT(CampaignStatusChanged, (), (organizationId, campaignId, from, to, reason, first, listIds))

// The progress of a running campaign, emitted at most once a second.
struct CampaignProgressed {
  static constexpr std::string_view type = "campaign.progress";
  model::Uuid organizationId;
  model::Uuid campaignId;
  model::CampaignProgress progress;
};
BOOST_DESCRIBE_STRUCT(CampaignProgressed, (), (organizationId, campaignId, progress))

// A recipient followed a link of the campaign's message. `engaged` as in CampaignReply.
struct CampaignClick {
  static constexpr std::string_view type = "campaign.click";
  model::Uuid organizationId;
  model::Uuid campaignId;
  model::Timestamp sentAt;
  model::Timestamp at;  // when it was followed
  bool engaged = false;
};
BOOST_DESCRIBE_STRUCT(CampaignClick, (), (organizationId, campaignId, sentAt, at, engaged))

}  // namespace parley::events
