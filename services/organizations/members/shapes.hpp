#pragma once
#include <boost/describe/class.hpp>

#include "common/model/organization.hpp"

namespace parley::organizations::members {

struct SummariesQuery {
  std::optional<model::Uuid> organization_id;
  std::optional<std::string> member_ids;  // with commas between them
};
BOOST_DESCRIBE_STRUCT(SummariesQuery, (), (organization_id, member_ids))

struct NewMember {
  std::string name;  // used if the person is new
  std::string email;
  model::AccessLevel access_level = model::AccessLevel::Member;
  std::vector<std::string> roles;  // names
};

// A member who was made, or was there already: then without a key, as keys are shown once.
struct Enrolled {
  model::Uuid organizationId;
  model::Uuid memberId;
  std::optional<std::string> apiKey;
};
BOOST_DESCRIBE_STRUCT(Enrolled, (), (organizationId, memberId, apiKey))

}  // namespace parley::organizations::members
