-- write(organization_id uuid, message_ids uuid[], channel_message_ids text[])
-- The channel has these messages. A status may have come before its answer. The channel's id has a phone number in it: it
-- is not kept for a contact that was deleted meanwhile.
WITH old AS (
  SELECT m.id, m.status, a.channel_message_id, c.tombstone, status_rank(m.status) < status_rank('Sent') AS rises
  FROM unnest($2, $3) AS a (id, channel_message_id)
  JOIN message m ON m.organization_id = $1 AND m.id = a.id
  JOIN conversation c ON c.organization_id = $1 AND c.id = m.conversation_id
  ORDER BY m.id
  FOR NO KEY UPDATE OF m
), known AS (
  INSERT INTO channel_message (organization_id, key, message_id)
  SELECT $1, channel_key(old.channel_message_id), old.id FROM old
  ON CONFLICT DO NOTHING
)
UPDATE message m SET
  channel_message_id = CASE WHEN old.tombstone THEN NULL ELSE old.channel_message_id END,
  status = CASE WHEN old.rises THEN 'Sent' ELSE m.status END,
  status_at = CASE WHEN old.rises THEN now() ELSE m.status_at END,
  error_code = CASE WHEN old.rises THEN NULL ELSE m.error_code END,
  error_text = CASE WHEN old.rises THEN NULL ELSE m.error_text END
FROM old
WHERE m.organization_id = $1 AND m.id = old.id
RETURNING m.id, m.conversation_id, m.contact_id, m.campaign_id, m.created_at, old.status AS was, m.status, m.error_code,
  m.error_text, coalesce(m.status_at, now()) AS status_at
