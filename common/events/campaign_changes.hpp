#pragma once
// What conversations tells of campaigns, and analytics counts. A recipient is a pair of campaign and contact and has
// one outbound message. Every change is a difference: applied in any order, each once, they add up to the figures of
// GET /api/analytics/campaigns, whichever transactions they were told by.
//
// As JSON, which SQL may write as well (jsonb_build_object): the member names below, after `"type"`. Moments are RFC
// 3339; `sentAt` is the createdAt of the recipient's message, the same in every change about it.
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/campaign.hpp"
#include "common/model/json.hpp"
#include "common/model/message.hpp"

namespace parley::events {

// `count` recipients' messages, all sent in the same quarter of an hour (`sentAt` is any moment of it), went from one
// status to another. `from` null: the message was made. What was sent stays counted, whatever is deleted later.
struct CampaignMessages {
  static constexpr std::string_view type = "campaign.messages";
  model::Uuid organizationId;
  model::Uuid campaignId;
  model::Timestamp sentAt;
  std::optional<model::MessageStatus> from;
  model::MessageStatus to = model::MessageStatus::Queued;
  std::optional<std::int64_t> count;  // 1 when left out
};
BOOST_DESCRIBE_STRUCT(CampaignMessages, (), (organizationId, campaignId, sentAt, from, to, count))

// Messages of a campaign opened `count` conversations.
struct CampaignConversations {
  static constexpr std::string_view type = "campaign.conversations";
  model::Uuid organizationId;
  model::Uuid campaignId;
  model::Timestamp sentAt;
  std::optional<std::int64_t> count;  // 1 when left out
};
BOOST_DESCRIBE_STRUCT(CampaignConversations, (), (organizationId, campaignId, sentAt, count))

// A recipient answered: an inbound message that replies to the campaign's message, or is the answer to it by the rules
// of conversations. `first`: their first reply to this campaign. `engaged`: their first reply or click, whichever came
// first.
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

// What a campaign is called, whom it is for and what it bears, told when it is made and whenever one of these changes:
// the newest holds. A campaign that is deleted stays described, as its figures stay.
struct CampaignDescribed {
  static constexpr std::string_view type = "campaign.described";
  model::Uuid organizationId;
  model::Uuid campaignId;
  std::string name;
  std::vector<model::Uuid> listIds;
  std::vector<std::string> tags;  // what its tags can be asked for by: their ids and their labels
};
BOOST_DESCRIBE_STRUCT(CampaignDescribed, (), (organizationId, campaignId, name, listIds, tags))

// A campaign went from one status to another. `first` when it starts for the first time: its lists count it from then
// on.
struct CampaignStatusChanged {
  static constexpr std::string_view type = "campaign.status";
  model::Uuid organizationId;
  model::Uuid campaignId;
  model::CampaignStatus from = model::CampaignStatus::Draft;
  model::CampaignStatus to = model::CampaignStatus::Draft;
  std::string reason;  // why it is Paused
  bool first = false;
  std::vector<model::Uuid> listIds;  // that it is for
};
BOOST_DESCRIBE_STRUCT(CampaignStatusChanged, (), (organizationId, campaignId, from, to, reason, first, listIds))

// How a campaign stands while it runs, told at most once a second.
struct CampaignProgressed {
  static constexpr std::string_view type = "campaign.progress";
  model::Uuid organizationId;
  model::Uuid campaignId;
  model::CampaignProgress progress;
};
BOOST_DESCRIBE_STRUCT(CampaignProgressed, (), (organizationId, campaignId, progress))

// A recipient followed a link of the campaign's message. `engaged` as above.
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
