#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/model/json.hpp"

namespace parley::model {

// The actions in an organization's audit. Append only: the names are stored.
enum class AuditAction {
  OrganizationCreated,
  OrganizationUpdated,
  OrganizationDeleted,
  MessagingAccountConnected,
  MemberJoined,
  MemberUpdated,
  MemberRemoved,
  InviteCreated,
  InviteRevoked,
  RoleCreated,
  RoleUpdated,
  RoleDeleted,
  ApiKeyCreated,
  ApiKeyRegenerated,
  ApiKeyDeleted,
  ContactsDeleted,
  ContactsExported,
  ContactsImported,
  ListDeleted,
  TagDeleted,
  PasswordChanged,
  AccountTakenOver,
  RecipientsExported,
  SecondFactorEnabled,
  SecondFactorDisabled,
  RecoveryCodesReplaced,
  SegmentDeleted,
  FailedRowsExported,
  CampaignCreated,
  CampaignUpdated,
  CampaignStarted,
  CampaignUnscheduled,
  CampaignPaused,
  CampaignResumed,
  CampaignCancelled,
  CampaignDeleted,
  WebhookCreated,
  WebhookUpdated,
  WebhookDeleted,
  WebhookSecretRotated,
  SignedIn,
  SignInFailed,
  ContactsChanged,
  TemplateCreated,
  TemplateUpdated,
  TemplateDeleted,
  CampaignWinnerPicked,
};
BOOST_DESCRIBE_ENUM(AuditAction, OrganizationCreated, OrganizationUpdated, OrganizationDeleted,
                    MessagingAccountConnected, MemberJoined, MemberUpdated, MemberRemoved, InviteCreated, InviteRevoked,
                    RoleCreated, RoleUpdated, RoleDeleted, ApiKeyCreated, ApiKeyRegenerated, ApiKeyDeleted,
                    ContactsDeleted, ContactsExported, ContactsImported, ListDeleted, TagDeleted, PasswordChanged,
                    AccountTakenOver, RecipientsExported, SecondFactorEnabled, SecondFactorDisabled,
                    RecoveryCodesReplaced, SegmentDeleted, FailedRowsExported, CampaignCreated, CampaignUpdated,
                    CampaignStarted, CampaignUnscheduled, CampaignPaused, CampaignResumed, CampaignCancelled,
                    CampaignDeleted, WebhookCreated, WebhookUpdated, WebhookDeleted, WebhookSecretRotated, SignedIn,
                    SignInFailed, ContactsChanged, TemplateCreated, TemplateUpdated, TemplateDeleted,
                    CampaignWinnerPicked)

// One audit entry: who did what, when, and from where. Never changed.
struct AuditEntry {
  Uuid uniqueId;
  Timestamp createdAt;
  AuditAction action = AuditAction::OrganizationCreated;
  std::optional<Uuid> memberId;   // null: an operator, by a command, or whoever could not sign in
  std::string memberEmail;        // as it was then
  std::string credentialId;       // of the API key or the session; "" for an operator
  std::optional<Uuid> subjectId;  // the id of the action's object, if it has one
  std::string subject;            // the object's name then, an e-mail address, or a count
  std::string address;            // the caller's
  std::string requestId;
  std::optional<RawJson> before, after;  // the changed object before and after, or null
};
BOOST_DESCRIBE_STRUCT(AuditEntry, (),
                      (uniqueId, createdAt, action, memberId, memberEmail, credentialId, subjectId, subject, address,
                       requestId, before, after))

}  // namespace parley::model
