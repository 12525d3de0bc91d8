#pragma once
#include <boost/describe/class.hpp>

#include "common/model/json.hpp"

namespace parley::model {

// A day (or an hour, for short spans) and how often something happened in it.
struct TrendPoint {
  Timestamp date;
  std::string label;
  std::int64_t count = 0;
};
BOOST_DESCRIBE_STRUCT(TrendPoint, (), (date, label, count))

// A day (or an hour) of sending, and what has become of its messages since.
struct MessageAnalyticsPoint {
  Timestamp date;
  std::string label;
  std::int64_t sent = 0;
  std::int64_t delivered = 0;
  std::int64_t replied = 0;
  std::int64_t read = 0;
};
BOOST_DESCRIBE_STRUCT(MessageAnalyticsPoint, (), (date, label, sent, delivered, replied, read))

// Counts are of recipients, that is (campaign, contact) pairs, by the time of their send; rates are percent with one
// decimal, at most 100, 0 when nothing was sent.
struct CampaignAnalytics {
  std::int64_t totalRecipients = 0;
  std::int64_t messagesSent = 0;         // accepted by the channel
  std::int64_t messagesFailed = 0;       // never accepted
  std::int64_t messagesDelivered = 0;    // delivered or read
  std::int64_t messagesUndelivered = 0;  // accepted, then failed
  std::int64_t messagesRead = 0;
  std::int64_t totalMessages = 0;  // outbound attempted and the inbound replies to them
  std::int64_t conversationInitiated = 0;
  double responseRate = 0;
  double openRate = 0;
  double engagementRate = 0;
  std::int64_t totalLinkClicks = 0;
  std::vector<TrendPoint> engagementTrends;
  std::vector<TrendPoint> linkClicksData;
  std::vector<MessageAnalyticsPoint> messageAnalytics;
};
BOOST_DESCRIBE_STRUCT(CampaignAnalytics, (),
                      (totalRecipients, messagesSent, messagesFailed, messagesDelivered, messagesUndelivered,
                       messagesRead, totalMessages, conversationInitiated, responseRate, openRate, engagementRate,
                       totalLinkClicks, engagementTrends, linkClicksData, messageAnalytics))

}  // namespace parley::model
