#include "tests/e2e/kinds.hpp"

#include <stdexcept>

namespace parley::e2e {

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"contact", "/api/contacts/", {"contactId", "contactIds", "contact_id", "add", "remove"}},
      {"import", "/api/contacts/imports/", {"importId", "import_id"}},
      {"bulk change", "/api/contacts/bulk-changes/", {"bulkChangeId"}},
      {"list", "/api/lists/", {"listId", "listIds", "excludedListIds", "list_id", "lists"}},
      {"segment", "/api/segments/", {"segmentId", "segmentIds", "segment_id"}},
      {"tag", "/api/tags/", {"tagId", "tagIds", "tag_id", "tags"}},
      {"conversation", "/api/conversation/", {"conversationId", "conversation_id"}},
      {"message", "/api/messages/", {"messageId", "replyToMessageId"}},
      {"note", "/api/notes/", {"noteId"}},
      {"quick reply", "/api/quick-replies/", {"quickReplyId"}},
      {"template", "/api/organization/templates/", {"templateId"}},
      {"organization", "/api/organization/", {"organizationId", "organization_id"}},
      {"organization", "/webhooks/messaging/", {}},
      {"member", "/api/organization/members/", {"memberId", "memberIds", "member_id", "assignedTo", "mentions"}},
      {"invite", "/api/organization/invites/", {"inviteId"}},
      {"role", "/api/rbac/roles/", {"roleId", "roleIds", "role_id", "roles"}},
      {"webhook", "/api/webhooks/", {"webhookId"}},
      {"key", "/api/auth/api-keys/", {"credentialId", "apiKeyId"}},
      {"session", "/api/auth/sessions/", {"sessionId"}},
      {"campaign", "/api/campaigns/", {"campaignId", "campaign_id"}},
      {"campaign", "/api/analytics/campaign/", {}},
      {"link", "/l/", {}},
  };
  return all;
}

std::string kind_of_path(std::string_view path) {
  const Kind* best = nullptr;
  for (const auto& kind : kinds())
    if (path.starts_with(kind.path) && path.substr(kind.path.size()).starts_with('{') &&
        (!best || kind.path.size() > best->path.size()))
      best = &kind;
  if (!best) throw std::logic_error("tests/e2e/kinds.cpp does not know whose id is in " + std::string(path));
  return best->name;
}

std::string kind_of_field(const std::string& field) {
  for (const auto& kind : kinds())
    if (kind.fields.contains(field)) return kind.name;
  throw std::logic_error("tests/e2e/kinds.cpp does not know whose id is in the field " + field);
}

}  // namespace parley::e2e
