#pragma once
#include <boost/describe/class.hpp>

#include "common/model/json.hpp"

namespace parley::organizations::users {

struct AccountRow {
  model::Uuid id;
  std::optional<std::string> password_hash;
  bool has_second_factor = false;
};
BOOST_DESCRIBE_STRUCT(AccountRow, (), (id, password_hash, has_second_factor))

// An address as it is counted, and whose it is.
struct AddressRow {
  std::string address;
  std::optional<model::Uuid> id;
};
BOOST_DESCRIBE_STRUCT(AddressRow, (), (address, id))

struct UserRow {
  model::Uuid uniqueId;
  std::string name;
  std::string email;
  model::Timestamp createdAt;
  bool hasPassword = false;
  std::optional<model::Timestamp> second_factor_at;
  std::int64_t recovery_codes = 0;
};
BOOST_DESCRIBE_STRUCT(UserRow, (), (uniqueId, name, email, createdAt, hasPassword, second_factor_at, recovery_codes))

}  // namespace parley::organizations::users
