#pragma once
// Events of conversations about what a campaign's recipients did with its message, by contact: contacts keeps it for
// conditions of segments. What messages' statuses say, message.status tells.
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <vector>

#include "common/model/json.hpp"

namespace parley::events {

enum class Engagement { Clicked, Replied };
BOOST_DESCRIBE_ENUM(Engagement, Clicked, Replied)

// Recipients followed a link, or replied. Told with each click and reply, not with the first ones alone. Written by
// SQL: conversations/messages/engagement/sql.
struct CampaignEngaged {
  static constexpr std::string_view type = "campaign.engaged";
  model::Uuid organizationId;
  model::Uuid campaignId;
  std::vector<model::Uuid> contactIds;
  Engagement did = Engagement::Clicked;
};
BOOST_DESCRIBE_STRUCT(CampaignEngaged, (), (organizationId, campaignId, contactIds, did))

}  // namespace parley::events
