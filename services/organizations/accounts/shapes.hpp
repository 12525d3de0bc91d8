#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/contracts/organizations.hpp"

namespace parley::organizations::accounts {

using contracts::organizations::Account;
using contracts::organizations::AccountQuery;
using contracts::organizations::BusinessAccountOwners;
using contracts::organizations::BusinessAccountQuery;
using contracts::organizations::VerifyToken;

// The body of POST /api/organization/messagingBusinessAccount.
struct Connect {
  std::string businessAccountId;
  std::string code;
  std::string phoneNumberId;
};
BOOST_DESCRIBE_STRUCT(Connect, (), (businessAccountId, code, phoneNumberId))

// Progress of connecting, for one code, business account and phone number:
//   Begun       nothing
//   Exchanged   the code is consumed, the token is stored
//   Subscribed  the account's events reach this system
//   Registered  the number can send
enum class State { Begun, Exchanged, Subscribed, Registered };
BOOST_DESCRIBE_ENUM(State, Begun, Exchanged, Subscribed, Registered)

// The stored state with its secrets decrypted, valid until the lease expires.
struct Setup {
  model::Uuid lease;
  State state = State::Begun;
  std::string code_hash;            // "" before Exchanged
  std::string access_token;         // "" before Exchanged
  std::string business_account_id;  // "" before Subscribed
  std::string phone_number_id;      // registered last, by any code
  std::string webhook_secret;       // 64 hexadecimal digits
  std::string pin;                  // six digits
};

struct PhoneNumber {
  std::string display_phone_number;
  std::string verified_name;
  model::VerificationStatus verification_status = model::VerificationStatus::Unverified;
};

}  // namespace parley::organizations::accounts
