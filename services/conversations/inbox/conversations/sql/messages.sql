-- read(organization_id uuid, conversation_id uuid, most int8)
SELECT id AS "uniqueId", conversation_id AS "conversationId", direction, status, message_type AS "messageType",
  created_at AS "createdAt", reply_to_message_id AS "replyToMessageId", channel_message_id AS "messagingMessageId",
  /*include short_data*/ AS "messageData", CASE WHEN status IN ('Failed', 'UnDelivered') THEN error_code END AS "errorCode",
  CASE WHEN status IN ('Failed', 'UnDelivered') THEN error_text END AS "errorText"
FROM message m
WHERE organization_id = $1 AND conversation_id = $2
ORDER BY created_at DESC, id DESC
LIMIT $3
