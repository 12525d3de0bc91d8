#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::identity {

// The permissions of roles. Append only: the numbers are bits in masks that other versions read.
enum class Permission : std::uint8_t {
  get_organization_member,
  create_organization_member,
  update_organization_member,
  delete_organization_member,
  get_campaign,
  create_campaign,
  update_campaign,
  delete_campaign,
  get_conversation,
  create_conversation,
  update_conversation,
  delete_conversation,
  assign_conversation,
  unassign_conversation,
  get_message,
  create_message,
  get_list,
  create_list,
  update_list,
  delete_list,
  get_tag,
  create_tag,
  update_tag,
  delete_tag,
  get_contact,
  create_contact,
  update_contact,
  delete_contact,
  bulk_import_contacts,
  export_contacts,
  get_organization,
  update_organization,
  delete_organization,
  get_messaging_business_account,
  update_messaging_business_account,
  get_organization_role,
  create_organization_role,
  update_organization_role,
  delete_organization_role,
  get_api_key,
  regenerate_api_key,
  get_primary_analytics,
  get_secondary_analytics,
  get_campaign_analytics,
  get_message_templates,
  get_phone_numbers,
  get_app_settings,
  update_app_settings,
  update_integration_settings,
};
inline constexpr std::size_t kPermissionCount = 49;

// Verb:Resource, as in the API.
std::string_view name_of(Permission permission);
std::optional<Permission> parse_permission(std::string_view name);

// The set of permissions that a caller holds.
class PermissionSet {
 public:
  constexpr PermissionSet() = default;
  constexpr explicit PermissionSet(std::uint64_t mask) : mask_(mask) {}
  static constexpr PermissionSet all() { return PermissionSet((std::uint64_t{1} << kPermissionCount) - 1); }

  constexpr bool has(Permission permission) const { return mask_ >> static_cast<unsigned>(permission) & 1; }
  constexpr void add(Permission permission) { mask_ |= std::uint64_t{1} << static_cast<unsigned>(permission); }
  constexpr void remove(Permission permission) { mask_ &= ~(std::uint64_t{1} << static_cast<unsigned>(permission)); }
  constexpr bool contains(PermissionSet other) const { return (other.mask_ & ~mask_) == 0; }
  constexpr std::uint64_t mask() const { return mask_; }
  // The names, in the order of Permission.
  std::vector<std::string> names() const;

  bool operator==(const PermissionSet&) const = default;

 private:
  std::uint64_t mask_ = 0;
};

}  // namespace parley::identity
