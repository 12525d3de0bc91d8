#pragma once
#include <boost/describe/class.hpp>

#include "common/model/campaign_analytics.hpp"

namespace parley::analytics::reports {

// The parameters of GET /api/analytics/campaigns.
struct CampaignsQuery {
  std::optional<std::string> from, to, timezone;
};
BOOST_DESCRIBE_STRUCT(CampaignsQuery, (), (from, to, timezone))

struct CampaignsAnswer {
  model::CampaignAnalytics analytics;
};
BOOST_DESCRIBE_STRUCT(CampaignsAnswer, (), (analytics))

// A day or an hour, as the rollups have it.
struct Slot {
  model::Timestamp date;
  std::string label;
  std::int64_t recipients = 0, sent = 0, delivered = 0, read = 0, failed = 0, undelivered = 0;
  std::int64_t replied = 0, engaged = 0, replies = 0, conversations = 0;
  std::int64_t replies_at = 0, clicks_at = 0;
};
BOOST_DESCRIBE_STRUCT(Slot, (),
                      (date, label, recipients, sent, delivered, read, failed, undelivered, replied, engaged, replies,
                       conversations, replies_at, clicks_at))

// The figures of a span, from its days or hours.
model::CampaignAnalytics summarise(const std::vector<Slot>& slots);

}  // namespace parley::analytics::reports
