#pragma once
#include <boost/describe/class.hpp>

#include "common/model/organization.hpp"

namespace parley::organizations::credentials {

// A valid key, and the person's membership in the requested organization, if any.
struct KeyRow {
  std::string secret_hash;
  bool use_is_due = false;                   // the use must be recorded
  std::optional<std::int64_t> milliseconds;  // until expiry
  model::Uuid holder_id;
  model::Uuid person_id;
  std::optional<model::Uuid> member_id;
  std::optional<model::AccessLevel> access_level;
  std::int64_t permissions = 0;      // union of the member's roles
  bool lacks_second_factor = false;  // which the organization to act in, another than the key's own, requires
};
BOOST_DESCRIBE_STRUCT(KeyRow, (),
                      (secret_hash, use_is_due, milliseconds, holder_id, person_id, member_id, access_level,
                       permissions, lacks_second_factor))

struct ListedRow {
  model::Uuid id;
  std::string name;
  model::Timestamp created_at;
  std::optional<model::Timestamp> expires_at;
  std::optional<model::Timestamp> last_used_at;
  bool is_default = false;
};
BOOST_DESCRIBE_STRUCT(ListedRow, (), (id, name, created_at, expires_at, last_used_at, is_default))

struct OwnedRow : ListedRow {
  model::Uuid member_id;
  model::AccessLevel access_level = model::AccessLevel::Member;
  std::string version;
};
BOOST_DESCRIBE_STRUCT(OwnedRow, (ListedRow), (member_id, access_level, version))

}  // namespace parley::organizations::credentials
