#pragma once
#include <boost/describe/class.hpp>

#include "common/model/organization.hpp"

namespace parley::organizations::credentials {

// A key that is neither revoked nor expired, and the member of the asked-for organization that its person is, if any.
struct KeyRow {
  std::string secret_hash;
  bool use_is_due = false;  // of noting that it was used
  std::optional<model::Uuid> member_id;
  std::optional<model::Uuid> person_id;
  std::optional<model::AccessLevel> access_level;
  std::int64_t permissions = 0;  // of all the member's roles
};
BOOST_DESCRIBE_STRUCT(KeyRow, (), (secret_hash, use_is_due, member_id, person_id, access_level, permissions))

}  // namespace parley::organizations::credentials
