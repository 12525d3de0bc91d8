#pragma once
#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "common/http/query.hpp"

namespace parley::conversations::stream {

inline constexpr std::int64_t kMaxWait = 900;  // seconds

// GET /api/events
struct EventsQuery : http::OfOrganization {
  std::optional<std::string> last_event_id;  // for clients that cannot send the header
  std::optional<std::int64_t> wait;          // seconds until the stream ends
};
BOOST_DESCRIBE_STRUCT(EventsQuery, (http::OfOrganization), (last_event_id, wait))

}  // namespace parley::conversations::stream
