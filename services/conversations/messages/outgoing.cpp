#include "conversations/messages/outgoing.hpp"

#include "conversations/messages/sql.hpp"

namespace parley::conversations::messages {

model::MessageSender sender_of(const identity::Identity& caller) {
  if (!caller.by_key) return {model::MessageSenderType::Member, caller.member_id, caller.member_id};
  return {model::MessageSenderType::ApiKey, model::Uuid::parse(caller.credential_id), caller.member_id};
}

void add_outgoing(pg::Batch& batch, const NewOutgoing& message) {
  const auto& sender = message.sent_by;
  batch.add(sql::insert, message.organization_id, message.id, message.conversation_id, message.contact_id,
            message.reply_to, message.type, message.data, sender.type, sender.memberId,
            sender.type == model::MessageSenderType::ApiKey ? sender.uniqueId : std::nullopt);
  batch.add(sql::insert_outgoing, message.organization_id, message.id, message.phone_number_id, message.recipient,
            message.expires_at);
  batch.add(sql::insert_sender, message.organization_id, message.phone_number_id);
}

void add_receipt(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& message,
                 std::string_view phone_number_id) {
  batch.add(sql::insert_receipt, organization, message, phone_number_id);
  batch.add(sql::insert_sender, organization, phone_number_id);
}

}  // namespace parley::conversations::messages
