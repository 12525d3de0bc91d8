#include "analytics/rollups/counts.hpp"

#include "common/events/changes.hpp"

namespace parley::analytics::rollups {

namespace {

constexpr std::int64_t kMaxAtOnce = 1'000'000;

using model::MessageStatus;

Counts counts_of(MessageStatus status) {
  Counts out{};
  switch (status) {
    case MessageStatus::Read:
      out[read] = 1;
      [[fallthrough]];
    case MessageStatus::Delivered:
      out[delivered] = 1;
      [[fallthrough]];
    case MessageStatus::Sent:
      out[sent] = 1;
      break;
    case MessageStatus::UnDelivered:
      out[sent] = out[undelivered] = 1;
      break;
    case MessageStatus::Failed:
      out[failed] = 1;
      break;
    case MessageStatus::Queued:
      break;
    case MessageStatus::Unread:
      throw events::BadEvent("an outbound message is never Unread");
  }
  return out;
}

std::size_t column_of(MessageStatus status) {
  if (status == MessageStatus::Unread) throw events::BadEvent("an outbound message is never Unread");
  return static_cast<std::size_t>(MessageCount::queued) + static_cast<std::size_t>(status);
}

std::size_t column_of(model::ConversationInitiator initiator) {
  return static_cast<std::size_t>(MessageCount::opened_by_contact) + static_cast<std::size_t>(initiator);
}

std::int64_t checked(const std::optional<std::int64_t>& count) {
  const auto value = count.value_or(1);
  if (value < 0 || value > kMaxAtOnce) throw events::BadEvent("count is not within 0 and 1,000,000");
  return value;
}

// The time in the id, so that all events about it count in one quarter; the event's for ids without a time.
model::Timestamp birth_of(const model::Uuid& id, const events::Event& event) {
  constexpr int kVersion = 7;
  if (id.bytes[6] >> 4 == kVersion) return {id.milliseconds()};
  if (!event.at) throw events::BadEvent("an id that does not say when it was made: " + id.text());
  return *event.at;
}

}  // namespace

model::Timestamp quarter_of(model::Timestamp moment) {
  const auto beyond = moment.milliseconds_since_epoch % kQuarter;
  return {moment.milliseconds_since_epoch - (beyond < 0 ? beyond + kQuarter : beyond)};
}

void Differences::add(const events::Event& event) {
  for (const auto& change : events::changes_of(event)) {
    if (const auto messages = change.as<events::CampaignMessages>()) {
      add(*messages);
    } else if (const auto status = change.as<events::MessageStatusChanged>()) {
      add(*status, event);
    } else if (const auto message = change.as<events::MessageCreated>()) {
      add(*message, event);
    } else if (const auto reply = change.as<events::CampaignReply>()) {
      add(*reply);
    } else if (const auto click = change.as<events::CampaignClick>()) {
      add(*click);
    } else if (const auto opened = change.as<events::CampaignConversations>()) {
      add(*opened);
    } else if (const auto conversation = change.as<events::ConversationCreated>()) {
      messages_at(conversation->organizationId,
                  birth_of(conversation->conversationId, event))[column_of(conversation->initiatedBy)] += 1;
    } else if (auto described = change.as<events::CampaignDescribed>()) {
      auto& newest = descriptions_[{described->organizationId, described->campaignId}];
      if (newest.position <= event.position) newest = {event.position, std::move(*described)};
    } else if (const auto campaign = change.as<events::CampaignCounted>()) {
      add(*campaign);
    } else if (const auto counted = change.as<events::MessagesCounted>()) {
      add(*counted);
    } else if (const auto conversations = change.as<events::ConversationsCounted>()) {
      add(*conversations);
    }
  }
}

void Differences::add(const events::CampaignMessages& change) {
  const auto count = checked(change.count);
  const auto before = change.from ? counts_of(*change.from) : Counts{};
  const auto after = counts_of(change.to);
  auto& counts = at(change.organizationId, change.campaignId, change.sentAt);
  for (std::size_t i = 0; i < kCounts; ++i) counts[i] += count * (after[i] - before[i]);
  if (!change.from) counts[recipients] += count;
  auto& messages = messages_at(change.organizationId, change.sentAt);
  if (change.from) messages[column_of(*change.from)] -= count;
  messages[column_of(change.to)] += count;
}

void Differences::add(const events::MessageCreated& change, const events::Event& event) {
  if (change.direction == model::MessageDirection::InBound)
    messages_at(change.organizationId, change.at)[static_cast<std::size_t>(MessageCount::inbound)] += 1;
  else
    messages_at(change.organizationId, birth_of(change.messageId, event))[column_of(MessageStatus::Queued)] += 1;
}

// Messages of campaigns are counted by CampaignMessages.
void Differences::add(const events::MessageStatusChanged& change, const events::Event& event) {
  if (change.campaignId) return;
  auto& messages = messages_at(change.organizationId, birth_of(change.messageId, event));
  messages[column_of(change.from)] -= 1;
  messages[column_of(change.to)] += 1;
}

void Differences::add(const events::CampaignConversations& change) {
  at(change.organizationId, change.campaignId, change.sentAt)[conversations] += checked(change.count);
}

void Differences::add(const events::CampaignReply& change) {
  auto& counts = at(change.organizationId, change.campaignId, change.sentAt);
  counts[replies] += 1;
  counts[replied] += change.first;
  counts[engaged] += change.engaged;
  at(change.organizationId, change.campaignId, change.at)[replies_at] += 1;
}

void Differences::add(const events::CampaignClick& change) {
  at(change.organizationId, change.campaignId, change.sentAt)[engaged] += change.engaged;
  at(change.organizationId, change.campaignId, change.at)[clicks_at] += 1;
}

void Differences::add(const events::CampaignCounted& change) {
  const auto& n = change.counts;
  auto& counts = at(change.organizationId, change.campaignId, change.quarter);
  for (const auto& [status, count] : {std::pair(MessageStatus::Queued, n.Queued),
                                      {MessageStatus::Sent, n.Sent},
                                      {MessageStatus::UnDelivered, n.UnDelivered},
                                      {MessageStatus::Read, n.Read},
                                      {MessageStatus::Delivered, n.Delivered},
                                      {MessageStatus::Failed, n.Failed}}) {
    if (count.value_or(0) == 0) continue;
    const auto each = counts_of(status);
    for (std::size_t i = 0; i < kCounts; ++i) counts[i] += *count * each[i];
    counts[recipients] += *count;
    messages_at(change.organizationId, change.quarter)[column_of(status)] += *count;
  }
  counts[conversations] += n.Conversations.value_or(0);
  counts[replies] += n.Replies.value_or(0);
  counts[replied] += n.Replied.value_or(0);
  counts[engaged] += n.Engaged.value_or(0);
  counts[replies_at] += n.RepliesAt.value_or(0);
  counts[clicks_at] += n.ClicksAt.value_or(0);
}

void Differences::add(const events::MessagesCounted& change) {
  const auto& n = change.counts;
  auto& messages = messages_at(change.organizationId, change.quarter);
  messages[static_cast<std::size_t>(MessageCount::inbound)] += n.InBound.value_or(0);
  messages[column_of(MessageStatus::Queued)] += n.Queued.value_or(0);
  messages[column_of(MessageStatus::Sent)] += n.Sent.value_or(0);
  messages[column_of(MessageStatus::UnDelivered)] += n.UnDelivered.value_or(0);
  messages[column_of(MessageStatus::Delivered)] += n.Delivered.value_or(0);
  messages[column_of(MessageStatus::Read)] += n.Read.value_or(0);
  messages[column_of(MessageStatus::Failed)] += n.Failed.value_or(0);
}

void Differences::add(const events::ConversationsCounted& change) {
  using enum model::ConversationInitiator;
  auto& messages = messages_at(change.organizationId, change.quarter);
  messages[column_of(Contact)] += change.counts.Contact.value_or(0);
  messages[column_of(Campaign)] += change.counts.Campaign.value_or(0);
  messages[column_of(Member)] += change.counts.Member.value_or(0);
}

Rows<Counts> Differences::of_organizations() const {
  Rows<Counts> out;
  for (const auto& [key, counts] : campaigns_) {
    auto& sums = out[{key.organization_id, {}, key.bucket}];
    for (std::size_t i = 0; i < kCounts; ++i) sums[i] += counts[i];
  }
  return out;
}

void ContactDifferences::add(const events::Event& event) {
  // A deletion's time is its transaction's, or now for a replayed parked event, where that is unknown.
  const auto now = event.at.value_or(model::Timestamp::now());
  for (const auto& change : events::changes_of(event)) {
    if (const auto created = change.as<events::ContactsCreated>()) {
      for (const auto& id : created->contactIds)
        rows_[{created->organizationId, {}, quarter_of(birth_of(id, event))}][0] += 1;
    } else if (const auto deleted = change.as<events::ContactsDeleted>()) {
      rows_[{deleted->organizationId, {}, quarter_of(now)}][1] += static_cast<std::int64_t>(deleted->contactIds.size());
    } else if (const auto merged = change.as<events::ContactMerged>()) {
      rows_[{merged->organizationId, {}, quarter_of(now)}][1] += 1;
    } else if (const auto counted = change.as<events::ContactsCounted>()) {
      auto& counts = rows_[{counted->organizationId, {}, quarter_of(counted->quarter)}];
      counts[0] += counted->created.value_or(0);
      counts[1] += counted->deleted.value_or(0);
    }
  }
}

}  // namespace parley::analytics::rollups
