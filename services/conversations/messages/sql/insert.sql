-- write(organization_id uuid, id uuid, conversation_id uuid, contact_id uuid, reply_to_message_id uuid, message_type text, data jsonb)
-- The clock is read here and not when the transaction began: its conversation is locked, so that messages sent in it have
-- their times in the order in which they are committed, and a page never gains one in its middle.
INSERT INTO message (organization_id, id, conversation_id, contact_id, reply_to_message_id, direction, status, status_at,
  message_type, data, created_at)
SELECT $1, $2, $3, $4, $5, 'OutBound', 'Queued', at, $6, $7, at
FROM clock_timestamp() AS at
