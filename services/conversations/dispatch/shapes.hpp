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

// A phone number of an organization.
struct NumberId {
  model::Uuid organization_id;
  std::string phone_number_id;
  auto operator<=>(const NumberId&) const = default;
};
BOOST_DESCRIBE_STRUCT(NumberId, (), (organization_id, phone_number_id))

// A number of which something is due.
struct Waiting {
  model::Uuid organization_id;
  std::string phone_number_id;
  bool mine = false;
  bool free = false;
};
BOOST_DESCRIBE_STRUCT(Waiting, (), (organization_id, phone_number_id, mine, free))

// A number as it was taken.
struct Taken {
  model::Uuid organization_id;
  std::string phone_number_id;
  bool abandoned = false;  // its former owner did not give it back
  bool stopped = false;    // the channel took nothing from it, when it was last tried
};
BOOST_DESCRIBE_STRUCT(Taken, (), (organization_id, phone_number_id, abandoned, stopped))

// A row that may be sent.
struct Due {
  model::Uuid message_id;
  Kind kind = Kind::Message;
  std::int64_t due = 0;  // as it was seen: microseconds since 1970
};
BOOST_DESCRIBE_STRUCT(Due, (), (message_id, kind, due))

// A place in a number's queue.
struct QueuePosition {
  std::int64_t due = 0;  // microseconds since 1970
  model::Uuid message_id;
  bool operator==(const QueuePosition&) const = default;
};
BOOST_DESCRIBE_STRUCT(QueuePosition, (), (due, message_id))

// A row that was claimed, or a campaign's message that was just made, with all that is sent.
struct Item {
  model::Uuid message_id;
  Kind kind = Kind::Message;
  std::int64_t attempt = 0;  // this one's number, from 1
  model::Uuid contact_id;
  std::string recipient;
  std::optional<model::Uuid> campaign_id;
  std::optional<model::MessageType> message_type;
  std::optional<model::RawJson> data;
  std::optional<std::string> channel_message_id;     // of a receipt: what was read
  bool gone = false;                                 // the message, or its contact, was deleted
  bool suppressed = false;                           // a campaign's, to who wants none by now
  bool duplicate = false;                            // a campaign's, which this person gets under another name
  std::optional<std::string> reply_to, reaction_to;  // the channel's ids
  // Of a campaign's first attempt, which has no row in the queue: of what it is.
  std::shared_ptr<Chunk> chunk{};
};
BOOST_DESCRIBE_STRUCT(Item, (),
                      (message_id, kind, attempt, contact_id, recipient, campaign_id, message_type, data,
                       channel_message_id, gone, suppressed, duplicate, reply_to, reaction_to))

// What became of an attempt, to be written down.
struct Result {
  enum class What {
    sent,       // the channel has it
    failed,     // it will never have it
    opted_out,  // nor any campaign's to this contact
    again,      // surely not sent: later
    in_doubt,   // it may have been sent
    dropped     // nothing is left to be done nor told
  };
  What what = What::in_doubt;
  Kind kind = Kind::Message;
  model::Uuid message_id{}, contact_id{}, claim{};
  std::string channel_message_id{};    // sent
  std::optional<std::int64_t> code{};  // the channel's, of a refusal
  std::optional<std::string> text{};   // failed: why; again: why, if the channel said so
  std::int64_t delay = 0;              // again: milliseconds
  bool counted = false;                // again: as one of the attempts that a message has
  bool first = false;                  // of a campaign's first attempt: its claim is its message's id
  std::string recipient{};             // of such a one
  bool unsure = false;                 // of such a one: the commit that made its message was not answered
  std::shared_ptr<Chunk> chunk{};      // of such a one, until the record that it goes into is made
};

// Why nothing is to be sent from a number for a while.
struct Stop {
  std::optional<std::int64_t> code;  // the channel's
  std::string text;
};

// A claim whose commit was not answered: nothing was sent by it.
struct VoidClaim {
  model::Uuid id;
  std::vector<model::Uuid> messages;  // that it was to claim
};

// What is written down about a number in one transaction.
struct Record {
  std::vector<Result> results;
  std::vector<VoidClaim> void_claims;
  std::optional<Stop> stop;
  bool unstop = false;  // the channel takes messages from it again
  model::Uuid owner{};  // of the chunks: the dispatcher
  std::vector<ChunkId> finished, released;
  std::map<model::Uuid, std::string> paused;  // campaigns that the channel takes nothing of, and why
};

struct Depth {
  std::int64_t due = 0, sending = 0, in_doubt = 0;
  std::optional<model::Timestamp> oldest;
  std::int64_t stopped = 0;
};
BOOST_DESCRIBE_STRUCT(Depth, (), (due, sending, in_doubt, oldest, stopped))

// A message that Failed, whoever's it is.
struct AnyRise : messages::Rise {
  model::Uuid organization_id;
};
BOOST_DESCRIBE_STRUCT(AnyRise, (messages::Rise), (organization_id))

}  // namespace parley::conversations::dispatch
