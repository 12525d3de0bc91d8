-- write(organization_id uuid, conversation_id uuid)
-- The newest of those that are Read now and came from the channel, if any.
WITH read AS (
  UPDATE message SET status = 'Read', status_at = now()
  WHERE organization_id = $1 AND conversation_id = $2 AND status = 'Unread'
  RETURNING id, created_at, channel_message_id
)
SELECT id FROM read WHERE channel_message_id IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 1
