#pragma once
// Events of all services that have quotas. Conversations tells them as its own, to the stream and to webhooks.
#include <boost/describe/class.hpp>
#include <string>

#include "common/model/json.hpp"

namespace parley::events {

// The organization uses so many percent of a quota, 80 or 100: told once, and again after it was below.
struct QuotaReached {
  static constexpr std::string_view type = "quota.reached";
  model::Uuid organizationId;
  std::string quota;
  std::int64_t percent = 0;
  std::int64_t limit = 0, used = 0;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(QuotaReached, (), (organizationId, quota, percent, limit, used, at))

}  // namespace parley::events
