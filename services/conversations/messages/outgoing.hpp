#pragma once
// What is to go to the channel: written here, in the transaction of whoever wants it sent, and taken from there by the
// dispatcher.
#include "common/model/message.hpp"
#include "common/pg/batch.hpp"

namespace parley::conversations::messages {

struct NewOutgoing {
  model::Uuid organization_id;
  model::Uuid id;  // of the message: model::new_uuid()
  model::Uuid conversation_id;
  model::Uuid contact_id;
  std::optional<model::Uuid> reply_to;
  model::MessageType type = model::MessageType::Text;
  model::RawJson data;
  std::string phone_number_id;  // it is sent from
  std::string recipient;        // a phone number with its plus, or else the channel's id of a user without one
  model::Timestamp expires_at;  // not sent by then, it has Failed: the service window's end, at most 24 hours from now
};

// Adds a Queued message and what the dispatcher takes it by. The caller's transaction has the conversation locked, and
// tells of the message (events::MessageCreated).
void add_outgoing(pg::Batch& batch, const NewOutgoing& message);

// Adds a receipt: the contact is shown that this message of theirs, and all before it, were read. Nothing for a message
// that did not come from the channel.
void add_receipt(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& message,
                 std::string_view phone_number_id);

}  // namespace parley::conversations::messages
