#pragma once
// The queue to the channel: written in the transaction that creates a message, read by the dispatcher.
#include "common/identity/token.hpp"
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
  std::string phone_number_id;  // the sending number
  std::string recipient;        // a phone number with its plus, or the channel's id of a user without one
  model::MessageSender sent_by;
  model::Timestamp expires_at;  // Failed if not sent by then: the end of the service window, at most 24 hours from now
};

// Who sends what a call asks for: its member, or an API key of that member.
model::MessageSender sender_of(const identity::Identity& caller);

// Adds a Queued message and its queue entry. The caller has locked the conversation, and emits events::MessageCreated.
void add_outgoing(pg::Batch& batch, const NewOutgoing& message);

// Adds a receipt: the contact sees this message and all before it as read. No-op for a message not from the channel.
void add_receipt(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& message,
                 std::string_view phone_number_id);

}  // namespace parley::conversations::messages
