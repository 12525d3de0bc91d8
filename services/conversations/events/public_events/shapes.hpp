#pragma once
// The `data` of public events by type, independent of internal events: schemas below `webhooks` in
// gateway/openapi.yaml. Some types also show resources: see notices.hpp.
#include <boost/describe/class.hpp>
#include <vector>

#include "common/events/conversation_changes.hpp"
#include "common/events/import_changes.hpp"
#include "common/events/webhook_changes.hpp"
#include "common/model/campaign.hpp"
#include "common/model/conversation.hpp"
#include "conversations/inbox/notes/shapes.hpp"
#include "conversations/messages/shapes.hpp"

namespace parley::conversations::public_events {

// contact.created, contact.updated
struct ChangedContacts {
  std::vector<model::Uuid> contactIds;
  std::optional<model::Uuid> importId;  // that made or changed them
};
BOOST_DESCRIBE_STRUCT(ChangedContacts, (), (contactIds, importId))

// contact.deleted
struct Contacts {
  std::vector<model::Uuid> contactIds;
};
BOOST_DESCRIBE_STRUCT(Contacts, (), (contactIds))

// contact.merged: `from` is gone; `into` has taken over its data.
struct MergedContact {
  model::Uuid from, into;
};
BOOST_DESCRIBE_STRUCT(MergedContact, (), (from, into))

// contact.opted_out, contact.opted_in
struct ContactChoice {
  model::Uuid contactId;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(ContactChoice, (), (contactId, at))

// import.status, import.progress
struct Import {
  model::Uuid importId;
  events::ImportStatus status = events::ImportStatus::Queued;
  std::string failure;
  std::optional<model::Uuid> listId;
  std::int64_t rowsRead = 0, imported = 0, updated = 0, skipped = 0, failed = 0, percent = 0;
};
BOOST_DESCRIBE_STRUCT(Import, (),
                      (importId, status, failure, listId, rowsRead, imported, updated, skipped, failed, percent))

struct MessageCreated {
  model::Uuid conversationId, contactId, messageId;
  model::MessageDirection direction = model::MessageDirection::InBound;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(MessageCreated, (), (conversationId, contactId, messageId, direction, at))

struct MessageChanged {
  model::Uuid conversationId, contactId, messageId;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(MessageChanged, (), (conversationId, contactId, messageId, at))

struct MessageStatus {
  model::Uuid conversationId, contactId, messageId;
  std::optional<model::Uuid> campaignId;
  model::MessageStatus from = model::MessageStatus::Queued;
  model::MessageStatus to = model::MessageStatus::Queued;
  std::optional<std::int64_t> errorCode;
  std::optional<std::string> errorText;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(MessageStatus, (),
                      (conversationId, contactId, messageId, campaignId, from, to, errorCode, errorText, at))

struct ConversationCreated {
  model::Uuid conversationId, contactId;
  model::ConversationInitiator initiatedBy = model::ConversationInitiator::Contact;
};
BOOST_DESCRIBE_STRUCT(ConversationCreated, (), (conversationId, contactId, initiatedBy))

struct ConversationChanged {
  model::Uuid conversationId, contactId;
};
BOOST_DESCRIBE_STRUCT(ConversationChanged, (), (conversationId, contactId))

struct ConversationStatus {
  model::Uuid conversationId, contactId;
  model::ConversationStatus from = model::ConversationStatus::Active;
  model::ConversationStatus to = model::ConversationStatus::Active;
};
BOOST_DESCRIBE_STRUCT(ConversationStatus, (), (conversationId, contactId, from, to))

// note.created, note.changed, note.deleted
struct Note {
  model::Uuid conversationId, contactId, noteId;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(Note, (), (conversationId, contactId, noteId, at))

struct CampaignStatus {
  model::Uuid campaignId;
  model::CampaignStatus from = model::CampaignStatus::Draft;
  model::CampaignStatus to = model::CampaignStatus::Draft;
  std::string reason;  // the reason, if Paused
  bool first = false;  // first start
  std::vector<model::Uuid> listIds;
};
BOOST_DESCRIBE_STRUCT(CampaignStatus, (), (campaignId, from, to, reason, first, listIds))

struct CampaignProgress {
  model::Uuid campaignId;
  model::CampaignProgress progress;
};
BOOST_DESCRIBE_STRUCT(CampaignProgress, (), (campaignId, progress))

// `first`: the recipient's first reply to this campaign; `engaged`: the first reply or click.
struct CampaignReply {
  model::Uuid campaignId;
  model::Timestamp sentAt;  // creation of the campaign's message to the recipient
  model::Timestamp at;
  bool first = false, engaged = false;
};
BOOST_DESCRIBE_STRUCT(CampaignReply, (), (campaignId, sentAt, at, first, engaged))

struct CampaignClick {
  model::Uuid campaignId;
  model::Timestamp sentAt, at;
  bool engaged = false;
};
BOOST_DESCRIBE_STRUCT(CampaignClick, (), (campaignId, sentAt, at, engaged))

// account.notice
struct AccountNotice {
  model::Uuid noticeId;
  std::string kind, event;
  events::NoticeSeverity severity = events::NoticeSeverity::Information;
  std::string detail;
  std::optional<std::string> phoneNumber;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(AccountNotice, (), (noticeId, kind, event, severity, detail, phoneNumber, at))

// template.changed
struct TemplateChange {
  std::string templateId, name, language, category, status, statusReason, quality;
  std::vector<model::Uuid> campaignIds;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(TemplateChange, (),
                      (templateId, name, language, category, status, statusReason, quality, campaignIds, at))

// quota.reached
struct QuotaReached {
  std::string quota;
  std::int64_t percent = 0, limit = 0, used = 0;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(QuotaReached, (), (quota, percent, limit, used, at))

// webhook.health
struct WebhookHealth {
  model::Uuid webhookId;
  events::WebhookState state = events::WebhookState::Healthy;
  std::optional<model::Timestamp> failingSince;
  std::optional<std::string> disabledReason;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(WebhookHealth, (), (webhookId, state, failingSince, disabledReason, at))

// ---- shown resources ------------------------------------------------------------------------------------------------

// A conversation without the parts of other services.
struct Conversation {
  model::Uuid uniqueId;
  model::Uuid contactId;
  std::optional<model::Uuid> campaignId;
  model::Uuid organizationId;
  model::ConversationInitiator initiatedBy = model::ConversationInitiator::Contact;
  model::Timestamp createdAt;
  model::ConversationStatus status = model::ConversationStatus::Active;
  std::int64_t numberOfUnreadMessages = 0;
  std::int64_t totalMessages = 0;
  std::optional<model::Uuid> assignedMemberId;
  std::vector<model::Uuid> tagIds;
  std::optional<model::Timestamp> serviceWindowEndsAt;
};
BOOST_DESCRIBE_STRUCT(Conversation, (),
                      (uniqueId, contactId, campaignId, organizationId, initiatedBy, createdAt, status,
                       numberOfUnreadMessages, totalMessages, assignedMemberId, tagIds, serviceWindowEndsAt))

struct MessageRow : messages::MessageRow {
  model::Uuid organization_id;
};
BOOST_DESCRIBE_STRUCT(MessageRow, (messages::MessageRow), (organization_id))

struct NoteRow : notes::NoteRow {
  model::Uuid organization_id;
};
BOOST_DESCRIBE_STRUCT(NoteRow, (notes::NoteRow), (organization_id))

}  // namespace parley::conversations::public_events
