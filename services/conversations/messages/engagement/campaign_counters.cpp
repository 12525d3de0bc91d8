#include "conversations/messages/engagement/campaign_counters.hpp"

#include <random>

#include "conversations/messages/engagement/sql.hpp"

namespace parley::conversations::engagement {

namespace {

constexpr std::int64_t kQuarter = 15 * 60 * 1'000;  // the interval of analytics, in milliseconds
constexpr std::int64_t kSlots = 16;

std::int64_t quarter_of(model::Timestamp moment) {
  const auto beyond = moment.milliseconds_since_epoch % kQuarter;
  return moment.milliseconds_since_epoch - (beyond < 0 ? beyond + kQuarter : beyond);
}

std::int64_t any_slot() {
  static std::minstd_rand generator{std::random_device{}()};
  return std::uniform_int_distribution<std::int64_t>(0, kSlots - 1)(generator);
}

}  // namespace

void CampaignCounters::count(const model::Uuid& campaign, Quarter quarter, std::string_view what, std::int64_t n) {
  if (n != 0) counts_[{campaign, quarter, std::string(what)}] += n;
}

void CampaignCounters::message(const model::Uuid& campaign, model::Timestamp sent_at,
                               std::optional<model::MessageStatus> from, model::MessageStatus to, std::int64_t n) {
  const auto quarter = quarter_of(sent_at);
  if (from) count(campaign, quarter, model::name_of(*from), -n);
  count(campaign, quarter, model::name_of(to), n);
  auto& told = messages_[{campaign, quarter, from, to}];
  told = {organization_, campaign, sent_at, from, to, told.count.value_or(0) + n};
}

void CampaignCounters::conversation(const model::Uuid& campaign, model::Timestamp sent_at, std::int64_t n) {
  count(campaign, quarter_of(sent_at), "Conversations", n);
  auto& told = conversations_[{campaign, quarter_of(sent_at)}];
  told = {organization_, campaign, sent_at, told.count.value_or(0) + n};
}

void CampaignCounters::add(const events::CampaignReply& reply) {
  const auto sent = quarter_of(reply.sentAt);
  count(reply.campaignId, sent, "Replies", 1);
  count(reply.campaignId, sent, "Replied", reply.first);
  count(reply.campaignId, sent, "Engaged", reply.engaged);
  count(reply.campaignId, quarter_of(reply.at), "RepliesAt", 1);
  replies_.push_back(reply);
}

void CampaignCounters::add(const events::CampaignClick& click) {
  count(click.campaignId, quarter_of(click.sentAt), "Engaged", click.engaged);
  count(click.campaignId, quarter_of(click.at), "ClicksAt", 1);
  clicks_.push_back(click);
}

void CampaignCounters::link(const model::Uuid& campaign, std::int64_t url, std::int64_t clicks, std::int64_t people,
                            std::int64_t previews) {
  count(campaign, 0, "Clicks " + std::to_string(url), clicks);
  count(campaign, 0, "People " + std::to_string(url), people);
  count(campaign, 0, "Previews " + std::to_string(url), previews);
}

void CampaignCounters::targets(const model::Uuid& campaign, std::int64_t n) { count(campaign, 0, "Targets", n); }

void CampaignCounters::skipped(const model::Uuid& campaign, std::int64_t n) { count(campaign, 0, "Skipped", n); }

void CampaignCounters::emit(events::Changes& changes) const {
  for (const auto& [key, told] : messages_) changes.add(told);
  for (const auto& [key, told] : conversations_) changes.add(told);
  for (const auto& reply : replies_) changes.add(reply);
  for (const auto& click : clicks_) changes.add(click);
}

void CampaignCounters::add_to(pg::Batch& batch) const {
  if (counts_.empty()) return;
  std::vector<model::Uuid> campaigns;
  std::vector<model::Timestamp> quarters;
  std::vector<std::string> whats;
  std::vector<std::int64_t> numbers;
  for (const auto& [key, n] : counts_) {  // in key order, as every transaction that locks several
    campaigns.push_back(std::get<0>(key));
    quarters.push_back({std::get<1>(key)});
    whats.push_back(std::get<2>(key));
    numbers.push_back(n);
  }
  batch.add(sql::add_to_counters, organization_, any_slot(), campaigns, quarters, whats, numbers);
}

}  // namespace parley::conversations::engagement
