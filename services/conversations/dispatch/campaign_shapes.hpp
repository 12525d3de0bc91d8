#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "common/model/json.hpp"

namespace parley::conversations::dispatch {

// A Running campaign of a number, as it stands now.
struct Running {
  model::Uuid id;
  std::optional<std::int64_t> messages_per_second;
  std::string status_reason;
  std::int32_t doubtful = 0;  // up to this ordinal targets may have been sent to before a backup was restored
  bool open = false;          // there are chunks to be taken
  std::int64_t waiting = 0;   // messages that wait to be tried again, as far as they were counted
};
BOOST_DESCRIBE_STRUCT(Running, (), (id, messages_per_second, status_reason, doubtful, open, waiting))

// How many people may be written to outside their service window.
struct Reached {
  std::optional<std::string> messaging_limit;  // as the channel calls it; nullopt: not told
  std::int64_t people = 0;                     // in the last 24 hours
};
BOOST_DESCRIBE_STRUCT(Reached, (), (messaging_limit, people))

// People in 24 hours: TIER_250, TIER_2K. nullopt: as many as one likes, or nobody knows.
std::optional<std::int64_t> people_of(const std::optional<std::string>& messaging_limit);

// Somebody whom a campaign is for.
struct Target {
  std::int32_t ordinal = 0;
  std::string recipient;
  std::int32_t variant = 0;
  model::Uuid message_id;
  std::vector<std::optional<std::string>> parameters;
  bool unsure = false;  // its intent's commit was not answered: the message may be there, and was not sent
};
BOOST_DESCRIBE_STRUCT(Target, (), (ordinal, recipient, variant, message_id, parameters))

struct ChunkId {
  model::Uuid campaign_id;
  std::int32_t first = 0, last = 0;  // ordinals
};

// A part of a campaign's targets that a number's owner has in hand.
struct Chunk {
  ChunkId id;
  std::deque<Target> left{};  // without a message yet
  std::size_t unwritten = 0;  // messages that were made and whose first attempt's result is not written down
  bool released = false;      // what was left is for whoever takes it next
};

// A chunk as it was taken.
struct TakenChunk {
  std::int32_t first = 0, last = 0;
  bool begun = false;  // somebody had it before
};
BOOST_DESCRIBE_STRUCT(TakenChunk, (), (first, last, begun))

// A chunk that was left by a dispatcher that is gone.
struct LeftChunk {
  model::Uuid organization_id, campaign_id;
  std::optional<std::string> phone_number_id;
  std::int32_t first = 0, last = 0;
  model::Uuid owner;
  bool held = false;  // the number is still its owner's
};
BOOST_DESCRIBE_STRUCT(LeftChunk, (), (organization_id, campaign_id, phone_number_id, first, last, owner, held))

// What became of a target that a message was to be made for.
enum class IntentOutcome { Queued, OptedOut, Blocked, Deleted, Duplicate, NotMine, NotRunning };
BOOST_DESCRIBE_ENUM(IntentOutcome, Queued, OptedOut, Blocked, Deleted, Duplicate, NotMine, NotRunning)

struct Intent {
  std::optional<model::Uuid> message_id, contact_id, conversation_id;
  std::optional<model::Timestamp> created_at;
  IntentOutcome fate = IntentOutcome::Queued;
};
BOOST_DESCRIBE_STRUCT(Intent, (), (message_id, contact_id, conversation_id, created_at, fate))

struct CompositionRow {
  model::RawJson message, variants;
};
BOOST_DESCRIBE_STRUCT(CompositionRow, (), (message, variants))

}  // namespace parley::conversations::dispatch
