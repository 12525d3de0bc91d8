#pragma once
#include <boost/describe/class.hpp>

#include "common/model/organization.hpp"

namespace parley::organizations::organizations {

// An organization with its account, if any; secrets are encrypted.
struct OrganizationRow {
  model::Uuid id;
  std::string name;
  std::string description;
  model::Timestamp created_at;
  std::string website_url;
  std::string logo_url;
  std::string favicon_url;
  bool is_auto_handling_conversations_enabled = false;
  bool is_onboarding_completed = false;
  bool requires_second_factor = false;
  std::optional<std::string> business_account_id;
  std::optional<std::string> phone_number_id;
  std::optional<std::string> access_token;
  std::optional<std::string> webhook_secret;
  std::optional<model::VerificationStatus> verification_status;
  std::optional<bool> is_registered;
};
BOOST_DESCRIBE_STRUCT(OrganizationRow, (),
                      (id, name, description, created_at, website_url, logo_url, favicon_url,
                       is_auto_handling_conversations_enabled, is_onboarding_completed, requires_second_factor,
                       business_account_id, phone_number_id, access_token, webhook_secret, verification_status,
                       is_registered))

}  // namespace parley::organizations::organizations
