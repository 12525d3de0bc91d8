-- read(organization_id uuid, conversation_id uuid)
-- Whether there are unread messages that came from the channel.
SELECT EXISTS (
  SELECT FROM message
  WHERE organization_id = $1 AND conversation_id = $2 AND status = 'Unread' AND channel_message_id IS NOT NULL)
