#pragma once
#include <array>
#include <map>
#include <utility>

#include "common/events/campaign_changes.hpp"
#include "common/events/contact_changes.hpp"
#include "common/events/conversation_changes.hpp"
#include "common/events/counted_changes.hpp"
#include "common/events/event.hpp"

namespace parley::analytics::rollups {

// A quarter of an hour: milliseconds since 1970, a multiple of kQuarter.
inline constexpr std::int64_t kQuarter = 15 * 60 * 1000;
model::Timestamp quarter_of(model::Timestamp moment);

// The columns of the campaigns' and organizations' rollups, in their order.
enum Count : std::size_t {
  recipients,
  sent,
  delivered,
  read,
  failed,
  undelivered,
  replied,
  engaged,
  replies,
  conversations,
  replies_at,
  clicks_at
};
inline constexpr std::size_t kCounts = 12;
using Counts = std::array<std::int64_t, kCounts>;

// Those of messages: behind the first, as model::MessageStatus and model::ConversationInitiator have their values.
enum class MessageCount : std::size_t { inbound, queued, opened_by_contact = 7 };
using MessageCounts = std::array<std::int64_t, 10>;

// Those of contacts: created, deleted.
using ContactCounts = std::array<std::int64_t, 2>;

// A row. Sorted, so that two that write at once lock rows in one order.
struct Key {
  model::Uuid organization_id;
  model::Uuid campaign_id;  // nil in the organization's own rollups
  model::Timestamp bucket;
  auto operator<=>(const Key&) const = default;
};
template <class Values>
using Rows = std::map<Key, Values>;

// What a batch of conversations' events adds to the rollups, or a part of a snapshot.
class Differences {
 public:
  struct Description {
    std::int64_t position = 0;
    events::CampaignDescribed change;
  };
  using Descriptions = std::map<std::pair<model::Uuid, model::Uuid>, Description>;  // by organization and campaign

  // Adds an event's changes. Throws events::BadEvent, and then this is of no use any more.
  void add(const events::Event& event);
  const Rows<Counts>& of_campaigns() const { return campaigns_; }
  Rows<Counts> of_organizations() const;
  const Rows<MessageCounts>& of_messages() const { return messages_; }
  const Descriptions& descriptions() const { return descriptions_; }

 private:
  void add(const events::CampaignMessages& change);
  void add(const events::CampaignConversations& change);
  void add(const events::CampaignReply& change);
  void add(const events::CampaignClick& change);
  void add(const events::MessageCreated& change, const events::Event& event);
  void add(const events::MessageStatusChanged& change, const events::Event& event);
  void add(const events::CampaignCounted& change);
  void add(const events::MessagesCounted& change);
  void add(const events::ConversationsCounted& change);
  Counts& at(const model::Uuid& organization, const model::Uuid& campaign, model::Timestamp moment) {
    return campaigns_[{organization, campaign, quarter_of(moment)}];
  }
  MessageCounts& messages_at(const model::Uuid& organization, model::Timestamp moment) {
    return messages_[{organization, {}, quarter_of(moment)}];
  }
  Rows<Counts> campaigns_;
  Rows<MessageCounts> messages_;
  Descriptions descriptions_;
};

// What a batch of contacts' events adds, or a part of a snapshot.
class ContactDifferences {
 public:
  // Throws as above.
  void add(const events::Event& event);
  const Rows<ContactCounts>& rows() const { return rows_; }

 private:
  Rows<ContactCounts> rows_;
};

}  // namespace parley::analytics::rollups
