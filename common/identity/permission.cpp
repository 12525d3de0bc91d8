#include "common/identity/permission.hpp"

#include <algorithm>
#include <array>

namespace parley::identity {

namespace {

// In the order of Permission.
constexpr std::array<std::string_view, kPermissionCount> kNames{
    "Get:OrganizationMember",
    "Create:OrganizationMember",
    "Update:OrganizationMember",
    "Delete:OrganizationMember",
    "Get:Campaign",
    "Create:Campaign",
    "Update:Campaign",
    "Delete:Campaign",
    "Get:Conversation",
    "Create:Conversation",
    "Update:Conversation",
    "Delete:Conversation",
    "Assign:Conversation",
    "Unassign:Conversation",
    "Get:Message",
    "Create:Message",
    "Get:List",
    "Create:List",
    "Update:List",
    "Delete:List",
    "Get:Tag",
    "Create:Tag",
    "Update:Tag",
    "Delete:Tag",
    "Get:Contact",
    "Create:Contact",
    "Update:Contact",
    "Delete:Contact",
    "BulkImport:Contacts",
    "Export:Contacts",
    "Get:Organization",
    "Update:Organization",
    "Delete:Organization",
    "Get:MessagingBusinessAccount",
    "Update:MessagingBusinessAccount",
    "Get:OrganizationRole",
    "Create:OrganizationRole",
    "Update:OrganizationRole",
    "Delete:OrganizationRole",
    "Get:ApiKey",
    "Regenerate:ApiKey",
    "Get:PrimaryAnalytics",
    "Get:SecondaryAnalytics",
    "Get:CampaignAnalytics",
    "Get:MessageTemplates",
    "Get:PhoneNumbers",
    "Get:AppSettings",
    "Update:AppSettings",
    "Update:IntegrationSettings",
};
static_assert(static_cast<std::size_t>(Permission::update_integration_settings) + 1 == kPermissionCount);

}  // namespace

std::string_view name_of(Permission permission) { return kNames[static_cast<std::size_t>(permission)]; }

std::optional<Permission> parse_permission(std::string_view name) {
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<Permission>(at - kNames.begin());
}

std::vector<std::string> PermissionSet::names() const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < kPermissionCount; ++i)
    if (has(static_cast<Permission>(i))) out.emplace_back(kNames[i]);
  return out;
}

}  // namespace parley::identity
