#include "conversations/messages/outgoing.hpp"

#include "conversations/messages/sql.hpp"

namespace parley::conversations::messages {

void add_outgoing(pg::Batch& batch, const NewOutgoing& message) {
  batch.add(sql::insert, message.organization_id, message.id, message.conversation_id, message.contact_id,
            message.reply_to, message.type, message.data);
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
