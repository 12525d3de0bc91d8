#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/contracts/organizations.hpp"

namespace parley::organizations::accounts {

using contracts::organizations::Account;
using contracts::organizations::AccountQuery;
using contracts::organizations::VerifyToken;

// The body of POST /api/organization/messagingBusinessAccount. All are needed.
struct Connect {
  std::string businessAccountId;
  std::string code;
  std::string phoneNumberId;
};
BOOST_DESCRIBE_STRUCT(Connect, (), (businessAccountId, code, phoneNumberId))

// How far the connecting has come: each is reached once for a code, a business account and a phone number.
//   Begun       nothing
//   Exchanged   the code is spent, the token is stored
//   Subscribed  the account's events come to us
//   Registered  the number sends through the channel
enum class State { Begun, Exchanged, Subscribed, Registered };
BOOST_DESCRIBE_ENUM(State, Begun, Exchanged, Subscribed, Registered)

// The stored state, its secrets open. Whoever has it may go on with it until its lease ends.
struct Setup {
  model::Uuid lease;
  State state = State::Begun;
  std::string code_hash;            // "" before Exchanged
  std::string access_token;         // likewise
  std::string business_account_id;  // "" before Subscribed
  std::string phone_number_id;      // that was registered last, with whatever code
  std::string webhook_secret;       // 64 hexadecimal digits
  std::string pin;                  // six digits
};

// What the channel knows of a phone number.
struct PhoneNumber {
  std::string display_phone_number;
  std::string verified_name;
  model::VerificationStatus verification_status = model::VerificationStatus::Unverified;
};

}  // namespace parley::organizations::accounts
