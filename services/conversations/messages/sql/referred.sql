-- read(organization_id uuid, conversation_id uuid, id uuid)
-- Whether the channel knows the message, so that another one can point to it.
SELECT direction = 'InBound' OR channel_message_id IS NOT NULL
FROM message
WHERE organization_id = $1 AND conversation_id = $2 AND id = $3
