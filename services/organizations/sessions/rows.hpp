#pragma once
#include <boost/describe/class.hpp>

#include "common/model/organization.hpp"

namespace parley::organizations::sessions {

// A valid session, and the member that it acts as, if any.
struct SessionRow {
  std::string secret_hash;
  model::Uuid person_id;
  bool use_is_due = false;        // the use must be recorded
  std::int64_t milliseconds = 0;  // until it ends, unless used
  std::optional<model::Uuid> organization_id;
  std::optional<model::Uuid> member_id;
  std::optional<model::AccessLevel> access_level;
  std::int64_t permissions = 0;      // union of the member's roles
  bool lacks_second_factor = false;  // which the organization requires
};
BOOST_DESCRIBE_STRUCT(SessionRow, (),
                      (secret_hash, person_id, use_is_due, milliseconds, organization_id, member_id, access_level,
                       permissions, lacks_second_factor))

}  // namespace parley::organizations::sessions
