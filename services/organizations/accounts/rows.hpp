#pragma once
#include <boost/describe/class.hpp>

#include "organizations/accounts/shapes.hpp"

namespace parley::organizations::accounts {

struct SetupRow {
  State state = State::Begun;
  std::optional<std::string> code_hash;
  std::optional<std::string> access_token;
  std::optional<std::string> business_account_id;
  std::optional<std::string> phone_number_id;
  std::string webhook_secret;
  std::string pin;
};
BOOST_DESCRIBE_STRUCT(SetupRow, (),
                      (state, code_hash, access_token, business_account_id, phone_number_id, webhook_secret, pin))

struct AccountRow {
  model::Uuid organization_id;
  std::string business_account_id, phone_number_id;
  std::string display_phone_number, verified_name;
  std::string access_token, webhook_secret;
};
BOOST_DESCRIBE_STRUCT(AccountRow, (),
                      (organization_id, business_account_id, phone_number_id, display_phone_number, verified_name,
                       access_token, webhook_secret))

}  // namespace parley::organizations::accounts
