#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "common/model/json.hpp"

namespace parley::conversations::dispatch {

// The current state of a Running campaign of a number.
struct Running {
  model::Uuid id;
  std::optional<std::int64_t> messages_per_second;
  std::string status_reason;
  std::int32_t doubtful = 0;  // targets up to this ordinal may have been sent to before a backup was restored
  bool open = false;          // has chunks to take
  std::int64_t waiting = 0;   // messages waiting for a retry; the count is capped
};
BOOST_DESCRIBE_STRUCT(Running, (), (id, messages_per_second, status_reason, doubtful, open, waiting))

// The usage of the account's limit on people written to outside their service window.
struct Reached {
  std::optional<std::string> messaging_limit;  // the channel's name of the limit; nullopt: unknown
  std::int64_t people = 0;                     // in the last 24 hours
};
BOOST_DESCRIBE_STRUCT(Reached, (), (messaging_limit, people))

// The number of people per 24 hours (TIER_250, TIER_2K). nullopt: unlimited or unknown.
std::optional<std::int64_t> people_of(const std::optional<std::string>& messaging_limit);

struct Target {
  std::int32_t ordinal = 0;
  std::string recipient;
  std::int32_t variant = 0;
  model::Uuid message_id;
  std::vector<std::optional<std::string>> parameters;
  bool unsure = false;  // the commit of its intent was not answered: the message may exist, but was not sent
};
BOOST_DESCRIBE_STRUCT(Target, (), (ordinal, recipient, variant, message_id, parameters))

struct ChunkId {
  model::Uuid campaign_id;
  std::int32_t first = 0, last = 0;  // ordinals
};

// A range of a campaign's targets that the number's owner is working on.
struct Chunk {
  ChunkId id;
  std::deque<Target> left{};  // targets without a message
  std::size_t unwritten = 0;  // messages whose first attempt's result is not recorded
  bool released = false;      // the rest is left to the next owner
};

struct TakenChunk {
  std::int32_t first = 0, last = 0;
  bool begun = false;  // had an owner before
};
BOOST_DESCRIBE_STRUCT(TakenChunk, (), (first, last, begun))

// A chunk whose dispatcher is gone.
struct LeftChunk {
  model::Uuid organization_id, campaign_id;
  std::optional<std::string> phone_number_id;
  std::int32_t first = 0, last = 0;
  model::Uuid owner;
  bool held = false;  // the number still belongs to that owner
};
BOOST_DESCRIBE_STRUCT(LeftChunk, (), (organization_id, campaign_id, phone_number_id, first, last, owner, held))

// The outcome of making a message for a target.
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
