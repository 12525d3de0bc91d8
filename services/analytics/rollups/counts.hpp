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

// A quarter of an hour in milliseconds; quarters begin at multiples of it since 1970.
inline constexpr std::int64_t kQuarter = 15 * 60 * 1000;
model::Timestamp quarter_of(model::Timestamp moment);

// Columns of the campaigns' and organizations' rollups, in order.
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

// Columns of the messages' rollup: inbound, then in the order of model::MessageStatus and model::ConversationInitiator.
enum class MessageCount : std::size_t { inbound, queued, opened_by_contact = 7 };
using MessageCounts = std::array<std::int64_t, 10>;

using ContactCounts = std::array<std::int64_t, 2>;

// The key of a row. Rows are sorted, so that concurrent writers lock them in one order.
struct Key {
  model::Uuid organization_id;
  model::Uuid campaign_id;  // nil in rollups per organization
  model::Timestamp bucket;
  auto operator<=>(const Key&) const = default;
};
template <class Values>
using Rows = std::map<Key, Values>;

// The changes of the rollups by a batch of conversations' events, or by a part of a snapshot.
class Differences {
 public:
  struct Description {
    std::int64_t position = 0;
    events::CampaignDescribed change;
  };
  using Descriptions = std::map<std::pair<model::Uuid, model::Uuid>, Description>;  // (organization, campaign)

  // Throws events::BadEvent; then this object must not be used any more.
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

// The same for contacts' events.
class ContactDifferences {
 public:
  // Throws like Differences::add().
  void add(const events::Event& event);
  const Rows<ContactCounts>& rows() const { return rows_; }

 private:
  Rows<ContactCounts> rows_;
};

}  // namespace parley::analytics::rollups
