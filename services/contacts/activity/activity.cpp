#include "contacts/activity/activity.hpp"

#include <map>

#include "common/events/changes.hpp"
#include "common/events/conversation_changes.hpp"
#include "common/events/engagement_changes.hpp"
#include "contacts/activity/sql.hpp"

namespace parley::contacts::activity {

namespace {

using model::MessageStatus;

// Counted from a campaign's first fact. More than a year, so that last year's campaign can be asked for.
constexpr int kKeptDays = 400;

// What events tell of an organization, as columns.
struct Told {
  std::vector<model::Uuid> contacts;
  std::vector<std::optional<model::Timestamp>> inbounds, campaigns;  // of the contacts

  std::vector<model::Uuid> of_campaigns, recipients;
  std::vector<bool> reads, clicks, replies;

  void day(const model::Uuid& contact, std::optional<model::Timestamp> inbound,
           std::optional<model::Timestamp> campaign) {
    contacts.push_back(contact);
    inbounds.push_back(inbound);
    campaigns.push_back(campaign);
  }
  void recipient(const model::Uuid& campaign, const model::Uuid& contact, bool read, bool clicked, bool replied) {
    of_campaigns.push_back(campaign);
    recipients.push_back(contact);
    reads.push_back(read);
    clicks.push_back(clicked);
    replies.push_back(replied);
  }
};

void add(const events::MessageStatusChanged& change, Told& told) {
  if (!change.campaignId) return;
  const bool was_sent = change.from != MessageStatus::Queued && change.from != MessageStatus::Failed;
  const bool is_sent = change.to != MessageStatus::Queued && change.to != MessageStatus::Failed;
  if (is_sent && !was_sent) told.day(change.contactId, {}, change.at);
  if (change.to == MessageStatus::Delivered || change.to == MessageStatus::Read)
    told.recipient(*change.campaignId, change.contactId, change.to == MessageStatus::Read, false, false);
}

// Who did anything with a message has received it, though the channel may not say so.
void add(const events::CampaignEngaged& change, Told& told) {
  const bool clicked = change.did == events::Engagement::Clicked;
  for (const auto& contact : change.contactIds) told.recipient(change.campaignId, contact, false, clicked, !clicked);
}

std::map<model::Uuid, Told> told_by(std::span<const events::Event> events) {
  std::map<model::Uuid, Told> out;
  for (const auto& event : events)
    for (const auto& change : events::changes_of(event)) {
      if (const auto created = change.as<events::MessageCreated>();
          created && created->direction == model::MessageDirection::InBound)
        out[created->organizationId].day(created->contactId, created->at, {});
      if (const auto status = change.as<events::MessageStatusChanged>()) add(*status, out[status->organizationId]);
      if (const auto engaged = change.as<events::CampaignEngaged>()) add(*engaged, out[engaged->organizationId]);
    }
  return out;
}

}  // namespace

awaitable<void> apply_conversations(pg::Transaction& transaction, std::span<const events::Event> events) {
  const auto all = told_by(events);
  pg::Batch notes;
  std::vector<model::Uuid> organizations;  // of the statements
  for (const auto& [organization, told] : all) {
    if (!told.contacts.empty()) {
      notes.add(sql::note_days, organization, told.contacts, told.inbounds, told.campaigns);
      organizations.push_back(organization);
    }
    if (!told.recipients.empty()) {
      notes.add(sql::note_recipients, organization, told.of_campaigns, told.recipients, told.reads, told.clicks,
                told.replies);
      organizations.push_back(organization);
    }
  }
  if (notes.empty()) co_return;
  const auto results = co_await transaction.run(std::move(notes));

  pg::Batch last;
  std::optional<model::Uuid> raised;
  for (std::size_t i = 0; i < organizations.size(); ++i) {
    if (results.one<std::int64_t>(i) == 0 || raised == organizations[i]) continue;
    raised = organizations[i];
    last.add(sql::expire, *raised, kKeptDays);
    last.add(sql::raise_version, *raised);
  }
  if (!last.empty()) co_await transaction.run(std::move(last));
}

void add_merge(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& gone, const model::Uuid& into) {
  batch.add(sql::move_days, organization, gone, into);
  batch.add(sql::move_recipient, organization, gone, into);
}

}  // namespace parley::contacts::activity
