#pragma once
// The changes of a snapshot: totals per quarter of an hour (`quarter` is its start) of what events report one by one.
// Omitted counts are 0.
#include <boost/describe/class.hpp>
#include <optional>

#include "common/model/json.hpp"

namespace parley::events {

using Counted = std::optional<std::int64_t>;

// Contacts. Deleted contacts are not counted if their row is gone.
struct ContactsCounted {
  static constexpr std::string_view type = "contact.counted";
  model::Uuid organizationId;
  model::Timestamp quarter;
  Counted created, deleted;
};
BOOST_DESCRIBE_STRUCT(ContactsCounted, (), (organizationId, quarter, created, deleted))

// Messages except campaigns' outbound ones: inbound, and outbound by status.
struct MessagesCounted {
  static constexpr std::string_view type = "message.counted";
  struct Counts {
    Counted InBound, Queued, Sent, UnDelivered, Delivered, Read, Failed;
  };
  model::Uuid organizationId;
  model::Timestamp quarter;
  Counts counts;
};
BOOST_DESCRIBE_STRUCT(MessagesCounted::Counts, (), (InBound, Queued, Sent, UnDelivered, Delivered, Read, Failed))
BOOST_DESCRIBE_STRUCT(MessagesCounted, (), (organizationId, quarter, counts))

// Conversations, by who opened them.
struct ConversationsCounted {
  static constexpr std::string_view type = "conversation.counted";
  struct Counts {
    Counted Contact, Campaign, Member;
  };
  model::Uuid organizationId;
  model::Timestamp quarter;
  Counts counts;
};
BOOST_DESCRIBE_STRUCT(ConversationsCounted::Counts, (), (Contact, Campaign, Member))
BOOST_DESCRIBE_STRUCT(ConversationsCounted, (), (organizationId, quarter, counts))

// A campaign's recipients by the quarter of their message: message statuses, opened conversations, replies, recipients
// who replied, recipients who replied or clicked. RepliesAt and ClicksAt count by the quarter of the reply or click.
struct CampaignCounted {
  static constexpr std::string_view type = "campaign.counted";
  struct Counts {
    Counted Queued, Sent, UnDelivered, Delivered, Read, Failed;
    Counted Conversations, Replies, Replied, Engaged, RepliesAt, ClicksAt;
  };
  model::Uuid organizationId;
  model::Uuid campaignId;
  model::Timestamp quarter;
  Counts counts;
};
BOOST_DESCRIBE_STRUCT(CampaignCounted::Counts, (),
                      (Queued, Sent, UnDelivered, Delivered, Read, Failed, Conversations, Replies, Replied, Engaged,
                       RepliesAt, ClicksAt))
BOOST_DESCRIBE_STRUCT(CampaignCounted, (), (organizationId, campaignId, quarter, counts))

}  // namespace parley::events
