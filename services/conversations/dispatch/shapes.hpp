#pragma once
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/model/message.hpp"
#include "conversations/dispatch/campaign_shapes.hpp"
#include "conversations/messages/status_changes.hpp"

namespace parley::conversations::dispatch {

enum class Kind { Message, Receipt };
BOOST_DESCRIBE_ENUM(Kind, Message, Receipt)

struct NumberId {
  model::Uuid organization_id;
  std::string phone_number_id;
  auto operator<=>(const NumberId&) const = default;
};
BOOST_DESCRIBE_STRUCT(NumberId, (), (organization_id, phone_number_id))

// A number that has due rows.
struct Waiting {
  model::Uuid organization_id;
  std::string phone_number_id;
  bool mine = false;
  bool free = false;
};
BOOST_DESCRIBE_STRUCT(Waiting, (), (organization_id, phone_number_id, mine, free))

// A number as the take statement returns it.
struct Taken {
  model::Uuid organization_id;
  std::string phone_number_id;
  bool abandoned = false;  // its former owner did not release it
  bool stopped = false;    // the channel accepted nothing from it at the last try
};
BOOST_DESCRIBE_STRUCT(Taken, (), (organization_id, phone_number_id, abandoned, stopped))

struct Due {
  model::Uuid message_id;
  Kind kind = Kind::Message;
  std::int64_t due = 0;  // as seen by the look: microseconds since 1970
};
BOOST_DESCRIBE_STRUCT(Due, (), (message_id, kind, due))

struct QueuePosition {
  std::int64_t due = 0;  // microseconds since 1970
  model::Uuid message_id;
  bool operator==(const QueuePosition&) const = default;
};
BOOST_DESCRIBE_STRUCT(QueuePosition, (), (due, message_id))

// A claimed row, or a campaign's message just made, with all that is sent.
struct Item {
  model::Uuid message_id;
  Kind kind = Kind::Message;
  std::int64_t attempt = 0;  // number of this attempt, from 1
  model::Uuid contact_id;
  std::string recipient;
  std::optional<model::Uuid> campaign_id;
  std::optional<model::MessageType> message_type;
  std::optional<model::RawJson> data;
  std::optional<std::string> channel_message_id;  // of a receipt: the message read
  bool gone = false;                              // the message or its contact was deleted
  bool suppressed = false;                        // a campaign's message to a contact who has opted out or is blocked
  bool duplicate = false;                         // a campaign's message to a person who gets it under another contact
  std::optional<std::string> reply_to, reaction_to;  // the channel's message ids
  // The chunk of a campaign's first attempt, which has no row in the queue.
  std::shared_ptr<Chunk> chunk{};
};
BOOST_DESCRIBE_STRUCT(Item, (),
                      (message_id, kind, attempt, contact_id, recipient, campaign_id, message_type, data,
                       channel_message_id, gone, suppressed, duplicate, reply_to, reaction_to))

// The outcome of an attempt, to be recorded.
struct Result {
  enum class What {
    sent,       // the channel accepted it
    failed,     // failed for good
    opted_out,  // failed, and the contact wants no campaigns
    again,      // surely not sent: retry later
    in_doubt,   // may have been sent
    dropped     // nothing is left to do or to emit
  };
  What what = What::in_doubt;
  Kind kind = Kind::Message;
  model::Uuid message_id{}, contact_id{}, claim{};
  std::string channel_message_id{};    // with `sent`
  std::optional<std::int64_t> code{};  // the channel's error code, of a refusal
  std::optional<std::string> text{};   // failed: why; again: why, if the channel said so
  std::int64_t delay = 0;              // with `again`: milliseconds
  bool counted = false;                // with `again`: counts as one of the message's attempts
  bool first = false;                  // a campaign's first attempt: its claim is its message's id
  std::string recipient{};             // with `first`
  bool unsure = false;                 // with `first`: the commit that made the message was not answered
  std::shared_ptr<Chunk> chunk{};      // with `first`, until the result's record is made
};

// The reason why a number sends nothing for a while.
struct Stop {
  std::optional<std::int64_t> code;  // the channel's error code
  std::string text;
};

// A claim whose commit was not answered: nothing was sent under it.
struct VoidClaim {
  model::Uuid id;
  std::vector<model::Uuid> messages;  // that the claim named
};

// Changes of one number that one transaction commits.
struct Record {
  std::vector<Result> results;
  std::vector<VoidClaim> void_claims;
  std::optional<Stop> stop;
  bool unstop = false;  // the channel accepts its messages again
  model::Uuid owner{};  // the dispatcher that owns the chunks
  std::vector<ChunkId> finished, released;
  std::map<model::Uuid, std::string> paused;  // campaigns that the channel refuses, and why
};

struct Depth {
  std::int64_t due = 0, sending = 0, in_doubt = 0;
  std::optional<model::Timestamp> oldest;
  std::int64_t stopped = 0;
};
BOOST_DESCRIBE_STRUCT(Depth, (), (due, sending, in_doubt, oldest, stopped))

// A message that became Failed, of any organization.
struct AnyRise : messages::Rise {
  model::Uuid organization_id;
};
BOOST_DESCRIBE_STRUCT(AnyRise, (messages::Rise), (organization_id))

}  // namespace parley::conversations::dispatch
