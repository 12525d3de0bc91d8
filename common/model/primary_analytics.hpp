#pragma once
#include <boost/describe/class.hpp>

#include "common/model/campaign_analytics.hpp"

namespace parley::model {

// A day (or an hour) and the messages of it; the outbound ones with what has become of them since.
struct MessageTrendPoint {
  Timestamp date;
  std::string label;
  std::int64_t inbound = 0;
  std::int64_t outbound = 0;
  std::int64_t sent = 0;
  std::int64_t delivered = 0;
  std::int64_t read = 0;
  std::int64_t failed = 0;
};
BOOST_DESCRIBE_STRUCT(MessageTrendPoint, (), (date, label, inbound, outbound, sent, delivered, read, failed))

struct ContactTrendPoint {
  Timestamp date;
  std::string label;
  std::int64_t created = 0;
  std::int64_t deleted = 0;
  std::optional<std::int64_t> total;  // at its end
};
BOOST_DESCRIBE_STRUCT(ContactTrendPoint, (), (date, label, created, deleted, total))

// An organization's messages, conversations and contacts. Messages are counted by when they were made (a campaign's, by
// when they were sent), and as in CampaignAnalytics: one that was read was delivered too, and that sent.
struct PrimaryAnalytics {
  std::int64_t totalMessages = 0;
  std::int64_t inboundMessages = 0;
  std::int64_t outboundMessages = 0;     // queued, sent and failed
  std::int64_t messagesQueued = 0;       // neither sent nor failed yet
  std::int64_t messagesSent = 0;         // accepted by the channel
  std::int64_t messagesFailed = 0;       // never accepted
  std::int64_t messagesDelivered = 0;    // delivered or read
  std::int64_t messagesUndelivered = 0;  // accepted, then failed
  std::int64_t messagesRead = 0;
  std::int64_t conversationsOpened = 0;  // the sum of the three
  std::int64_t conversationsOpenedByContacts = 0;
  std::int64_t conversationsOpenedByCampaigns = 0;
  std::int64_t conversationsOpenedByMembers = 0;
  std::int64_t contactsCreated = 0;
  std::int64_t contactsDeleted = 0;  // and merged into others
  // At the span's end; null where not all that became of contacts before is known.
  std::optional<std::int64_t> totalContacts;
  std::vector<MessageTrendPoint> messageTrends;
  std::vector<TrendPoint> conversationTrends;
  std::vector<ContactTrendPoint> contactTrends;
};
BOOST_DESCRIBE_STRUCT(PrimaryAnalytics, (),
                      (totalMessages, inboundMessages, outboundMessages, messagesQueued, messagesSent, messagesFailed,
                       messagesDelivered, messagesUndelivered, messagesRead, conversationsOpened,
                       conversationsOpenedByContacts, conversationsOpenedByCampaigns, conversationsOpenedByMembers,
                       contactsCreated, contactsDeleted, totalContacts, messageTrends, conversationTrends,
                       contactTrends))

}  // namespace parley::model
