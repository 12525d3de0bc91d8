#pragma once
#include <boost/describe/class.hpp>

#include "common/model/json.hpp"

namespace parley::organizations::second_factor {

struct Begin {
  std::string password;
};
BOOST_DESCRIBE_STRUCT(Begin, (), (password))

struct Confirm {
  std::string code;
};
BOOST_DESCRIBE_STRUCT(Confirm, (), (code))

// Exactly one of the two.
struct Prove {
  std::optional<std::string> password;
  std::optional<std::string> code;
};
BOOST_DESCRIBE_STRUCT(Prove, (), (password, code))

// A new secret; shown once.
struct Begun {
  std::string secret;  // Base32
  std::string otpauthUrl;
};
BOOST_DESCRIBE_STRUCT(Begun, (), (secret, otpauthUrl))

struct BegunResponse {
  Begun secondFactor;
};
BOOST_DESCRIBE_STRUCT(BegunResponse, (), (secondFactor))

struct RecoveryCodesResponse {
  std::vector<std::string> recoveryCodes;  // shown once
};
BOOST_DESCRIBE_STRUCT(RecoveryCodesResponse, (), (recoveryCodes))

}  // namespace parley::organizations::second_factor
