#include "analytics/reports/shapes.hpp"

#include <algorithm>
#include <cmath>

namespace parley::analytics::reports {

namespace {

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

model::PrimaryAnalytics summarise(const std::vector<PrimarySlot>& slots, std::optional<std::int64_t> contacts) {
  model::PrimaryAnalytics out;
  for (const auto& slot : slots) {
    const auto delivered = slot.delivered + slot.read;
    const auto sent = slot.sent + slot.undelivered + delivered;
    const auto outbound = slot.queued + sent + slot.failed;
    const auto opened = slot.opened_by_contact + slot.opened_by_campaign + slot.opened_by_member;
    out.inboundMessages += slot.inbound;
    out.outboundMessages += outbound;
    out.messagesQueued += slot.queued;
    out.messagesSent += sent;
    out.messagesFailed += slot.failed;
    out.messagesDelivered += delivered;
    out.messagesUndelivered += slot.undelivered;
    out.messagesRead += slot.read;
    out.conversationsOpened += opened;
    out.conversationsOpenedByContacts += slot.opened_by_contact;
    out.conversationsOpenedByCampaigns += slot.opened_by_campaign;
    out.conversationsOpenedByMembers += slot.opened_by_member;
    out.contactsCreated += slot.created;
    out.contactsDeleted += slot.deleted;
    if (contacts) *contacts += slot.created - slot.deleted;
    out.messageTrends.push_back(
        {slot.date, slot.label, slot.inbound, outbound, sent, delivered, slot.read, slot.failed});
    out.conversationTrends.push_back({slot.date, slot.label, opened});
    out.contactTrends.push_back({slot.date, slot.label, slot.created, slot.deleted, contacts});
  }
  out.totalMessages = out.inboundMessages + out.outboundMessages;
  out.totalContacts = contacts;
  return out;
}

}  // namespace parley::analytics::reports
