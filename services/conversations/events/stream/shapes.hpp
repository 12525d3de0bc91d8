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
  std::optional<std::string> types;          // with commas between; all, if missing
  std::optional<model::Uuid> conversation_id, campaign_id;
  std::optional<bool> campaign_messages;  // also the statuses of campaigns' messages
  std::optional<bool> imported_contacts;  // also contacts that imports make and change
};
BOOST_DESCRIBE_STRUCT(EventsQuery, (http::OfOrganization),
                      (last_event_id, wait, types, conversation_id, campaign_id, campaign_messages, imported_contacts))

}  // namespace parley::conversations::stream
