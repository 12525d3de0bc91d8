#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include "common/model/json.hpp"
#include "common/model/timestamp.hpp"

namespace parley::conversations::presence {

enum class State { viewing, typing, left };
BOOST_DESCRIBE_ENUM(State, viewing, typing, left)

// POST /api/conversation/{id}/presence
struct PresenceBody {
  State state = State::viewing;
};
BOOST_DESCRIBE_STRUCT(PresenceBody, (), (state))

// What the stream tells of it.
struct Facts {
  model::Uuid conversationId, memberId;
  State state = State::viewing;
  std::int64_t ttlSeconds = 0;  // until clients forget it, unless it is told again
};
BOOST_DESCRIBE_STRUCT(Facts, (), (conversationId, memberId, state, ttlSeconds))

// ... on its way between replicas.
struct Presence : Facts {
  model::Uuid organizationId;
  model::Timestamp at;
};
BOOST_DESCRIBE_STRUCT(Presence, (Facts), (organizationId, at))

}  // namespace parley::conversations::presence
