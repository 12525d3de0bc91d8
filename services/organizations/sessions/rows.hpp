#pragma once
#include <boost/describe/class.hpp>

#include "common/model/organization.hpp"

namespace parley::organizations::sessions {

// A session that has not ended, and the member that it acts as, if its person is one.
struct SessionRow {
  std::string secret_hash;
  model::Uuid person_id;
  bool use_is_due = false;        // of noting that it was used
  std::int64_t milliseconds = 0;  // that are left of it, unless it is used
  std::optional<model::Uuid> organization_id;
  std::optional<model::Uuid> member_id;
  std::optional<model::AccessLevel> access_level;
  std::int64_t permissions = 0;  // of all the member's roles
};
BOOST_DESCRIBE_STRUCT(SessionRow, (),
                      (secret_hash, person_id, use_is_due, milliseconds, organization_id, member_id, access_level,
                       permissions))

}  // namespace parley::organizations::sessions
