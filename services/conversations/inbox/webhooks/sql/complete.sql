-- write(organization_id uuid, ids uuid[], targets uuid[])
-- Sets the message that an earlier message refers to, once it is known.
WITH n AS (SELECT * FROM unnest($2, $3) AS n (id, target)),
open AS (
  SELECT m.id
  FROM n JOIN message m ON m.organization_id = $1 AND m.id = n.id
    JOIN conversation c ON c.organization_id = $1 AND c.id = m.conversation_id
  WHERE NOT c.tombstone AND NOT m.data ? 'revoked'
    AND CASE m.message_type WHEN 'Reaction' THEN m.data -> 'messageId' = 'null' ELSE m.reply_to_message_id IS NULL END
  ORDER BY m.id
  FOR NO KEY UPDATE OF m
)
UPDATE message m
SET reply_to_message_id = CASE m.message_type WHEN 'Reaction' THEN m.reply_to_message_id ELSE n.target END,
    data = CASE m.message_type WHEN 'Reaction' THEN jsonb_set(m.data, '{messageId}', to_jsonb(n.target)) ELSE m.data END
FROM n JOIN open USING (id)
WHERE m.organization_id = $1 AND m.id = n.id
RETURNING m.id, m.conversation_id, m.contact_id,
  m.untold OR EXISTS (SELECT FROM suppression s WHERE s.organization_id = $1 AND s.contact_id = m.contact_id AND s.blocked)
    AS untold
