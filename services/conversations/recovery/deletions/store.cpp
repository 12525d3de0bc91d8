#include "conversations/recovery/deletions/store.hpp"

#include "common/events/campaign_changes.hpp"
#include "common/events/conversation_changes.hpp"
#include "common/events/outbox/sql.hpp"
#include "common/removals/organizations.hpp"
#include "common/removals/tables.hpp"
#include "conversations/campaigns/store.hpp"
#include "conversations/events/subscriptions/sql.hpp"
#include "conversations/inbox/conversations/shapes.hpp"
#include "conversations/recovery/deletions/sql.hpp"

namespace parley::conversations::deletions {

namespace {

constexpr std::chrono::minutes kLateWriters{2};
constexpr std::chrono::minutes kSettling{16};  // see settled.fragment

struct ChangedRow {
  model::Uuid id, contact_id;
  model::ConversationStatus status = model::ConversationStatus::Active;  // before
};
BOOST_DESCRIBE_STRUCT(ChangedRow, (), (id, contact_id, status))

void add_changes(events::Changes& changes, const model::Uuid& organization, const pg::Results& results,
                 model::ConversationStatus to) {
  for (const auto& row : results.rows<ChangedRow>())
    changes.add(conversations::StatusChange{organization, row.id, row.contact_id, row.status, to});
}

awaitable<void> change(pg::Transaction& transaction, const pg::Statement& statement, model::Uuid organization,
                       const std::vector<model::Uuid>& contacts, model::ConversationStatus to, events::Changes& told) {
  if (contacts.empty()) co_return;
  add_changes(told, organization, co_await transaction.run(pg::Batch(statement, organization, contacts)), to);
}

}  // namespace

awaitable<void> tombstone(pg::Transaction& transaction, model::Uuid organization, std::vector<model::Uuid> contacts,
                          events::Changes& told) {
  co_await change(transaction, sql::bury, organization, contacts, model::ConversationStatus::Deleted, told);
}

awaitable<void> mark_missing(pg::Transaction& transaction, model::Uuid organization, std::vector<model::Uuid> contacts,
                             events::Changes& told) {
  if (contacts.empty()) co_return;
  co_await transaction.run(pg::Batch(sql::begin_lost, organization, contacts));
  co_await tombstone(transaction, organization, std::move(contacts), told);
}

awaitable<void> restore(pg::Transaction& transaction, model::Uuid organization, std::vector<model::Uuid> contacts,
                        events::Changes& told) {
  const auto ended = co_await transaction.run(pg::Batch(sql::end_lost, organization, contacts));
  co_await change(transaction, sql::exhume, organization, ended.rows<model::Uuid>(), model::ConversationStatus::Closed,
                  told);
}

namespace {

pg::Batch publish(const events::Changes& changes) {
  pg::Batch batch;
  if (!changes.empty()) batch.add(events::outbox::append, changes.json());
  return batch;
}

removals::Step::Then change_status(model::ConversationStatus to) {
  return [to](const removals::Removal& removal, const pg::Results& results) {
    events::Changes changes;
    add_changes(changes, removal.organization_id, results, to);
    return publish(changes);
  };
}

struct MovedRow {
  model::Uuid id, contact_id;
};
BOOST_DESCRIBE_STRUCT(MovedRow, (), (id, contact_id))

pg::Batch move(const removals::Removal& removal, const pg::Results& results) {
  events::Changes changes;
  for (const auto& row : results.rows<MovedRow>())
    changes.add(events::ConversationChanged{removal.organization_id, row.id, row.contact_id});
  return publish(changes);
}

// A message that failed by the deletion. All null: not a message; null campaign_id: a single message.
struct FailedRow {
  std::optional<model::Uuid> id, conversation_id, contact_id, campaign_id;
  std::optional<model::Timestamp> created_at, status_at;
};
BOOST_DESCRIBE_STRUCT(FailedRow, (), (id, conversation_id, contact_id, campaign_id, created_at, status_at))

pg::Batch fail(const removals::Removal& removal, const pg::Results& results) {
  using model::MessageStatus;
  const auto& organization = removal.organization_id;
  events::Changes changes;
  for (const auto& row : results.rows<FailedRow>()) {
    if (!row.id) continue;
    changes.add(events::MessageStatusChanged{organization, *row.conversation_id, *row.contact_id, *row.id,
                                             row.campaign_id, MessageStatus::Queued, MessageStatus::Failed,
                                             std::nullopt, "the contact was deleted", *row.status_at});
    if (row.campaign_id)
      changes.add(events::CampaignMessages{organization, *row.campaign_id, *row.created_at, MessageStatus::Queued,
                                           MessageStatus::Failed, std::nullopt});
  }
  return publish(changes);
}

// The newer statement of the two contacts; no time: never stated.
struct SuppressionRow {
  model::Uuid contact_id;
  bool opted_out = false;
  std::optional<model::Timestamp> opted_out_at;
};
BOOST_DESCRIBE_STRUCT(SuppressionRow, (), (contact_id, opted_out, opted_out_at))

pg::Batch repeat_opt_out(const removals::Removal& removal, const pg::Results& results) {
  events::Changes changes;
  for (const auto& row : results.rows<SuppressionRow>()) {
    if (row.opted_out_at && row.opted_out)
      changes.add(events::ContactOptedOut{removal.organization_id, row.contact_id, *row.opted_out_at});
    if (row.opted_out_at && !row.opted_out)
      changes.add(events::ContactOptedIn{removal.organization_id, row.contact_id, *row.opted_out_at});
  }
  return publish(changes);
}

constexpr auto kPrefix = "conversations.deletions";
constexpr auto kWebhooks = "conversations.subscriptions";

const removals::Tables of_campaign(kPrefix, {{"clicks_of_campaign", "click", "campaign_id"},
                                             {"engagements_of_campaign", "engagement", "campaign_id"}});
const removals::Tables of_conversation(kPrefix, {{"notes_of_conversation", "note", "conversation_id"}});
const removals::Tables of_tag(kPrefix, {{"conversation_tags_of_tag", "conversation_tag", "tag_id"}});
const removals::Tables of_webhook(kWebhooks, {{"remove_deliveries_of_webhook", "webhook_delivery", "webhook_id"}});
// Referencing tables come first, so that no cascade exceeds the rows of a step.
const removals::Tables of_organization(kPrefix, {{"media_chunks", "media_chunk"},
                                                 {"media_files", "media_file"},
                                                 {"media_uses", "media_use"},
                                                 {"messages", "message"},
                                                 {"notes", "note"},
                                                 {"conversation_tags", "conversation_tag"},
                                                 {"conversations", "conversation"},
                                                 {"conversation_versions", "conversation_version"},
                                                 {"conversation_tallies", "conversation_tally"},
                                                 {"clicks", "click"},
                                                 {"engagements", "engagement"},
                                                 {"retargets", "retarget"},
                                                 {"targets", "target"},
                                                 {"chunks", "chunk"},
                                                 {"campaign_counts", "campaign_count"},
                                                 {"campaign_figures", "campaign_figure"},
                                                 {"campaign_rates", "campaign_rate"},
                                                 {"campaign_urls", "campaign_url"},
                                                 {"reaches", "reach"},
                                                 {"campaigns", "campaign"},
                                                 {"quick_replies", "quick_reply"},
                                                 {"outgoing"},
                                                 {"suppressions", "suppression"},
                                                 {"senders", "sender"},
                                                 {"opt_out_settings"},
                                                 {"channel_messages", "channel_message"},
                                                 {"merged_contacts", "merged_contact"},
                                                 {"parked_elements", "parked_element"},
                                                 {"templates", "template"},
                                                 {"phone_numbers", "phone_number"},
                                                 {"account_notices", "account_notice"},
                                                 {"channel_lists", "channel_list"},
                                                 {"kept_answers", "idempotency"},
                                                 {"quotas", "quota"},
                                                 {"quota_levels", "quota_level"}});
const removals::Tables webhooks_of_organization(kWebhooks, {{"remove_deliveries", "webhook_delivery"},
                                                            {"remove_notices", "webhook_notice"},
                                                            {"remove_webhooks", "webhook"}});

}  // namespace

// The lock order of all steps here: conversations, messages, queue, suppressions, targets.
std::vector<removals::Kind> kinds() {
  using model::ConversationStatus;
  const std::vector<removals::Step> of_contact{{&sql::bury_stragglers, change_status(ConversationStatus::Deleted)},
                                               {&sql::media_chunks_of_contact},
                                               {&sql::media_files_of_contact},
                                               {&sql::messages_of_contact},
                                               {&sql::notes_of_contact},
                                               {&sql::outgoing_of_contact, fail},
                                               {&sql::suppression_of_contact},
                                               {&sql::targets_of_contact},
                                               {&subscriptions::sql::remove_words}};
  return {
      {.name = kContact, .steps = of_contact, .min_age = kLateWriters},
      {.name = kLostContact, .steps = of_contact},
      {.name = kMergedContact,
       .steps = {{&sql::close_older, change_status(ConversationStatus::Closed)},
                 {&sql::move_conversations, move},
                 {&sql::move_messages},
                 {&sql::move_outgoing},
                 {&sql::move_suppression, repeat_opt_out},
                 {&sql::move_targets},
                 {&subscriptions::sql::move_notices}},
       .last = {&sql::forget_merged},
       .min_age = kLateWriters},
      {.name = campaigns::kDeletion,
       .steps = of_campaign.steps({&sql::retargets_of_campaign, &sql::targets_of_campaign, &sql::chunks_of_campaign}),
       .min_age = kSettling},
      {.name = conversations::kDeletion,
       .steps = of_conversation.steps({&sql::media_chunks_of_conversation, &sql::media_files_of_conversation})},
      {.name = kTag, .steps = of_tag.steps()},
      {.name = "webhook", .steps = of_webhook.steps()},
      removals::organizations(of_organization.steps(webhooks_of_organization.steps())),
  };
}

}  // namespace parley::conversations::deletions
