#pragma once
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/json.hpp"

namespace parley::analytics::usage {

// What an organization may have, and has, of one thing.
struct Use {
  std::string name;
  std::optional<std::int64_t> limit;  // null: there is none
  std::int64_t used = 0;
};
BOOST_DESCRIBE_STRUCT(Use, (), (name, limit, used))

// GET /api/organization/usage
struct UsageQuery {};
BOOST_DESCRIBE_STRUCT(UsageQuery, (), ())

struct UsageResponse {
  std::vector<Use> usage;
  std::vector<std::string> missing;  // contexts that did not answer, as in Parley-Degraded
};
BOOST_DESCRIBE_STRUCT(UsageResponse, (), (usage, missing))

}  // namespace parley::analytics::usage
