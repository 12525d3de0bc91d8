#pragma once
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/contact.hpp"

namespace parley::contacts::audience {

// The body of POST /internal/contacts/audience.
struct AudienceBody {
  model::Uuid organizationId;
  std::vector<model::Uuid> listIds;
  std::optional<std::vector<model::Uuid>> excludedListIds;
  std::optional<model::Uuid> after;
  std::optional<std::int64_t> limit;
  std::vector<std::string> variables;
};
BOOST_DESCRIBE_STRUCT(AudienceBody, (), (organizationId, listIds, excludedListIds, after, limit, variables))

// The body of POST /internal/contacts/variables.
struct VariablesBody {
  model::Uuid organizationId;
  std::vector<model::Uuid> contactIds;
  std::vector<std::string> variables;
};
BOOST_DESCRIBE_STRUCT(VariablesBody, (), (organizationId, contactIds, variables))

// A contact as campaigns need it.
struct Person {
  std::optional<std::string> phone, channelUserId;
  model::ContactStatus status = model::ContactStatus::Active;
  std::vector<std::optional<std::string>> values;  // of the variables that were asked for, in their order
};
BOOST_DESCRIBE_STRUCT(Person, (), (phone, channelUserId, status, values))

struct PersonRow : Person {
  model::Uuid id;
};
BOOST_DESCRIBE_STRUCT(PersonRow, (Person), (id))

}  // namespace parley::contacts::audience
