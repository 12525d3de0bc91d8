#include "conversations/events/public_events/notices.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <concepts>

#include "common/events/campaign_changes.hpp"
#include "common/events/contact_changes.hpp"
#include "common/events/conversation_changes.hpp"
#include "common/events/import_changes.hpp"
#include "common/events/quota_changes.hpp"
#include "common/events/template_changes.hpp"
#include "common/events/webhook_changes.hpp"
#include "conversations/events/public_events/shapes.hpp"
#include "conversations/events/public_events/sql.hpp"
#include "conversations/inbox/conversations/shapes.hpp"

namespace parley::conversations::public_events {

namespace {

// Copies each public member explicitly, so that a new internal member is never published by accident.
ChangedContacts told(const events::ContactsCreated& change) { return {change.contactIds, change.importId}; }
ChangedContacts told(const events::ContactsUpdated& change) { return {change.contactIds, change.importId}; }
Contacts told(const events::ContactsDeleted& change) { return {change.contactIds}; }
MergedContact told(const events::ContactMerged& change) { return {change.from, change.into}; }
ContactChoice told(const events::ContactOptedOut& change) { return {change.contactId, change.at}; }
ContactChoice told(const events::ContactOptedIn& change) { return {change.contactId, change.at}; }
MessageCreated told(const events::MessageCreated& change) {
  return {change.conversationId, change.contactId, change.messageId, change.direction, change.at};
}
MessageChanged told(const events::MessageChanged& change) {
  return {change.conversationId, change.contactId, change.messageId, change.at};
}
MessageStatus told(const events::MessageStatusChanged& change) {
  return {change.conversationId, change.contactId, change.messageId, change.campaignId, change.from, change.to,
          change.errorCode,      change.errorText, change.at};
}
ConversationCreated told(const events::ConversationCreated& change) {
  return {change.conversationId, change.contactId, change.initiatedBy};
}
ConversationChanged told(const events::ConversationChanged& change) {
  return {change.conversationId, change.contactId};
}
Note told(const events::NoteCreated& change) {
  return {change.conversationId, change.contactId, change.noteId, change.at};
}
Note told(const events::NoteChanged& change) {
  return {change.conversationId, change.contactId, change.noteId, change.at};
}
Note told(const events::NoteDeleted& change) {
  return {change.conversationId, change.contactId, change.noteId, change.at};
}
ConversationStatus told(const conversations::StatusChange& change) {
  return {change.conversationId, change.contactId, change.from, change.to};
}
CampaignStatus told(const events::CampaignStatusChanged& change) {
  return {change.campaignId, change.from, change.to, change.reason, change.first, change.listIds};
}
CampaignProgress told(const events::CampaignProgressed& change) {
  CampaignProgress out{change.campaignId, change.progress};
  if (!out.progress.undelivered) out.progress.undelivered = 0;  // of the release before, among the failed ones
  return out;
}
CampaignReply told(const events::CampaignReply& change) {
  return {change.campaignId, change.sentAt, change.at, change.first, change.engaged};
}
CampaignClick told(const events::CampaignClick& change) {
  return {change.campaignId, change.sentAt, change.at, change.engaged};
}

AccountNotice told(const events::AccountNoticed& change) {
  return {change.noticeId, change.kind, change.event, change.severity, change.detail, change.phoneNumber, change.at};
}

TemplateChange told(const events::TemplateChanged& change) {
  return {change.templateId,   change.name,    change.language,    change.category, change.status,
          change.statusReason, change.quality, change.campaignIds, change.at};
}

QuotaReached told(const events::QuotaReached& change) {
  return {change.quota, change.percent, change.limit, change.used, change.at};
}

WebhookHealth told(const events::WebhookHealthChanged& change) {
  return {change.webhookId, change.state, change.failingSince, change.disabledReason, change.at};
}

Import told(const events::ImportState& change) {
  return {change.importId, change.status,  change.failure, change.listId, change.rowsRead,
          change.imported, change.updated, change.skipped, change.failed, change.percent};
}

std::string members_of(const std::string& object) { return object.substr(1, object.size() - 2); }

template <class Change>
Notice notice_of(const Change& change, const events::Event& event) {
  const auto facts = told(change);
  Notice out;
  out.type = Change::type;
  out.organization_id = change.organizationId;
  out.at = event.at.value_or(model::Timestamp::now());
  if constexpr (requires { facts.at; }) out.at = facts.at;
  out.facts = members_of(model::to_json(facts));
  if constexpr (requires { facts.contactId; }) out.contact_id = facts.contactId;
  if constexpr (requires { facts.messageId; }) out.message_id = facts.messageId;
  if constexpr (requires { facts.conversationId; }) out.of_conversation = facts.conversationId;
  if constexpr (requires { facts.campaignId; }) out.of_campaign = facts.campaignId;
  if constexpr (requires {
                  change.contactIds;
                  change.importId;
                })
    out.by_import = change.importId;
  constexpr bool is_of_note = requires { facts.noteId; };
  if constexpr (is_of_note && !std::same_as<Change, events::NoteDeleted>) out.note_id = facts.noteId;
  constexpr bool is_of_message = !std::same_as<Change, events::MessageCreated> && requires { facts.messageId; };
  if constexpr (requires { facts.conversationId; } && !is_of_message && !is_of_note)
    out.conversation_id = facts.conversationId;
  return out;
}

template <class... Changes>
void add(std::vector<Notice>& out, const events::Change& change, const events::Event& event) {
  static_assert(sizeof...(Changes) == kTypes.size() &&
                ((std::ranges::find(kTypes, std::string_view(Changes::type)) != kTypes.end()) && ...));
  const auto add_one = [&](auto of_type) {
    if (of_type) out.push_back(notice_of(*of_type, event));
  };
  (add_one(change.as<Changes>()), ...);
}

// Published as if each contact had opted out itself.
void add_opted_out(std::vector<Notice>& out, const events::ContactStatusChanged& change) {
  if (change.status != model::ContactStatus::OptedOut) return;
  for (const auto& id : change.contactIds) {
    Notice notice;
    notice.type = "contact.opted_out";
    notice.organization_id = change.organizationId;
    notice.at = change.at;
    notice.contact_id = id;
    notice.facts = members_of(model::to_json(ContactChoice{id, change.at}));
    out.push_back(std::move(notice));
  }
}

// A change of another context in this one's feed.
struct Relayed {
  static constexpr std::string_view type = "relayed";
  std::optional<model::Timestamp> at;  // of its event
  model::RawJson change;
};
BOOST_DESCRIBE_STRUCT(Relayed, (), (at, change))

void add_all(std::vector<Notice>& out, const events::Change& change, const events::Event& event) {
  if (const auto status = change.as<events::ContactStatusChanged>()) add_opted_out(out, *status);
  add<events::ContactsCreated, events::ContactsUpdated, events::ContactsDeleted, events::ContactMerged,
      events::ContactOptedOut, events::ContactOptedIn, events::MessageCreated, events::MessageChanged,
      events::MessageStatusChanged, events::ConversationCreated, events::ConversationChanged,
      conversations::StatusChange, events::NoteCreated, events::NoteChanged, events::NoteDeleted,
      events::CampaignStatusChanged, events::CampaignProgressed, events::CampaignReply, events::CampaignClick,
      events::AccountNoticed, events::TemplateChanged, events::QuotaReached, events::ImportStatusChanged,
      events::ImportProgressed, events::WebhookHealthChanged>(out, change, event);
}

}  // namespace

std::vector<Notice> notices_of(const events::Event& event) {
  std::vector<Notice> out;
  for (const auto& change : events::changes_of(event)) add_all(out, change, event);
  return out;
}

events::Changes relayed(const events::Event& event) {
  events::Changes out;
  for (const auto& change : events::changes_of(event)) {
    std::vector<Notice> notices;
    add_all(notices, change, event);
    if (!notices.empty()) out.add(Relayed{event.at, {boost::json::serialize(change.json)}});
  }
  return out;
}

std::vector<Notice> notices_with_relayed(const events::Event& event) {
  std::vector<Notice> out;
  for (const auto& change : events::changes_of(event)) {
    const auto of_other = change.as<Relayed>();
    if (!of_other) {
      add_all(out, change, event);
      continue;
    }
    auto notices = notices_of({event.position, {"[" + of_other->change.text + "]"}, of_other->at});
    out.insert(out.end(), std::make_move_iterator(notices.begin()), std::make_move_iterator(notices.end()));
  }
  return out;
}

identity::PermissionSet permissions_of(std::string_view type) {
  using identity::Permission;
  identity::PermissionSet out;
  if (type.starts_with("campaign.")) {
    out.add(Permission::get_campaign);
  } else if (type.starts_with("contact.")) {
    out.add(Permission::get_contact);
  } else if (type.starts_with("import.")) {
    out.add(Permission::bulk_import_contacts);
  } else if (type.starts_with("account.")) {
    out.add(Permission::get_phone_numbers);
  } else if (type.starts_with("template.")) {
    out.add(Permission::get_message_templates);
  } else if (type.starts_with("quota.")) {
    out.add(Permission::get_organization);
  } else if (type.starts_with("webhook.")) {
    out.add(Permission::update_integration_settings);
  } else {
    out.add(Permission::get_conversation);
    if (type.starts_with("message.")) out.add(Permission::get_message);
  }
  return out;
}

pg::Batch Resources::question(std::span<const Notice> notices) {
  std::vector<Key> messages, conversations, notes;
  for (const auto& notice : notices) {
    if (notice.message_id) messages.emplace_back(notice.organization_id, *notice.message_id);
    if (notice.conversation_id) conversations.emplace_back(notice.organization_id, *notice.conversation_id);
    if (notice.note_id) notes.emplace_back(notice.organization_id, *notice.note_id);
  }
  pg::Batch batch;
  const auto add = [&](const pg::Statement& statement, std::vector<Key>& keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<model::Uuid> organizations, ids;
    for (const auto& [organization, id] : keys) {
      organizations.push_back(organization);
      ids.push_back(id);
    }
    batch.add(statement, organizations, ids);
  };
  if (messages.empty() && conversations.empty() && notes.empty()) return batch;
  add(sql::messages, messages);
  add(sql::conversations, conversations);
  add(sql::notes, notes);
  return batch;
}

Resources::Resources(const pg::Results& answer) {
  for (const auto& row : messages::with_senders(answer.rows<MessageRow>(0)))
    messages_.emplace(Key{row.organization_id, row.uniqueId}, model::to_json(static_cast<const model::Message&>(row)));
  for (const auto& row : answer.rows<Conversation>(1))
    conversations_.emplace(Key{row.organizationId, row.uniqueId}, model::to_json(row));
  for (auto& row : answer.rows<NoteRow>(2)) {
    const Key key{row.organization_id, row.uniqueId};
    notes_.emplace(key, model::to_json(static_cast<const notes::Note&>(notes::with_author(std::move(row)))));
  }
}

std::string Resources::show(const Notice& notice) const {
  std::string out = "{\"type\":";
  model::write(out, notice.type);
  out += ",\"timestamp\":";
  model::write(out, notice.at);
  out.append(",\"data\":{").append(notice.facts);
  const auto add = [&](std::string_view name, const std::optional<model::Uuid>& id, const auto& known) {
    if (!id) return;
    const auto found = known.find(Key{notice.organization_id, *id});
    out.append(",\"").append(name).append("\":").append(found == known.end() ? "null" : found->second);
  };
  add("message", notice.message_id, messages_);
  add("conversation", notice.conversation_id, conversations_);
  add("note", notice.note_id, notes_);
  out += "}}";
  return out;
}

}  // namespace parley::conversations::public_events
