#include "analytics/rollups/counts.hpp"

#include "common/events/changes.hpp"

namespace parley::analytics::rollups {

namespace {

constexpr std::int64_t kMostAtOnce = 1'000'000;

using model::MessageStatus;

// What one recipient whose message has this status counts for.
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

std::int64_t checked(const std::optional<std::int64_t>& count) {
  const auto value = count.value_or(1);
  if (value < 0 || value > kMostAtOnce) throw events::BadEvent("count is not within 0 and 1,000,000");
  return value;
}

}  // namespace

model::Timestamp quarter_of(model::Timestamp moment) {
  const auto beyond = moment.milliseconds_since_epoch % kQuarter;
  return {moment.milliseconds_since_epoch - (beyond < 0 ? beyond + kQuarter : beyond)};
}

void Differences::add(const events::Event& event) {
  for (const auto& change : events::changes_of(event)) {
    if (const auto messages = change.as<events::CampaignMessages>()) add(*messages);
    if (const auto conversations = change.as<events::CampaignConversations>()) add(*conversations);
    if (const auto reply = change.as<events::CampaignReply>()) add(*reply);
    if (const auto click = change.as<events::CampaignClick>()) add(*click);
  }
}

void Differences::add(const events::CampaignMessages& change) {
  const auto count = checked(change.count);
  const auto before = change.from ? counts_of(*change.from) : Counts{};
  const auto after = counts_of(change.to);
  auto& counts = at(change.organizationId, change.campaignId, change.sentAt);
  for (std::size_t i = 0; i < kCounts; ++i) counts[i] += count * (after[i] - before[i]);
  if (!change.from) counts[recipients] += count;
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

std::map<Differences::Key, Counts> Differences::of_organizations() const {
  std::map<Key, Counts> out;
  for (const auto& [key, counts] : campaigns_) {
    auto& sums = out[{key.organization_id, {}, key.bucket}];
    for (std::size_t i = 0; i < kCounts; ++i) sums[i] += counts[i];
  }
  return out;
}

}  // namespace parley::analytics::rollups
