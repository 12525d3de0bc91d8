#include "analytics/reports/shapes.hpp"

#include <algorithm>
#include <cmath>

namespace parley::analytics::reports {

namespace {

// In percent, with one decimal.
double rate(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return 0;
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return std::round(std::clamp(percent, 0.0, 100.0) * 10) / 10;
}

}  // namespace

model::CampaignAnalytics summarise(const std::vector<Slot>& slots) {
  model::CampaignAnalytics out;
  std::int64_t replied = 0, engaged = 0, replies = 0;
  for (const auto& slot : slots) {
    out.totalRecipients += slot.recipients;
    out.messagesSent += slot.sent;
    out.messagesFailed += slot.failed;
    out.messagesDelivered += slot.delivered;
    out.messagesUndelivered += slot.undelivered;
    out.messagesRead += slot.read;
    out.conversationInitiated += slot.conversations;
    out.totalLinkClicks += slot.clicks_at;
    replied += slot.replied;
    engaged += slot.engaged;
    replies += slot.replies;
    out.engagementTrends.push_back({slot.date, slot.label, slot.replies_at + slot.clicks_at});
    out.linkClicksData.push_back({slot.date, slot.label, slot.clicks_at});
    out.messageAnalytics.push_back({slot.date, slot.label, slot.sent, slot.delivered, slot.replied, slot.read});
  }
  out.totalMessages = out.totalRecipients + replies;
  out.responseRate = rate(replied, out.messagesDelivered);
  out.openRate = rate(out.messagesRead, out.messagesSent);
  out.engagementRate = rate(engaged, out.messagesSent);
  return out;
}

}  // namespace parley::analytics::reports
