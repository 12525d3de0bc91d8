-- write(organization_id uuid, ids uuid[], types text[], data text[])
-- Replaces what stands for content that was to come: a call that had not ended, a medium of the app's history. Idempotent.
WITH n AS (SELECT * FROM unnest($2, $3, $4) AS n (id, type, data)),
open AS (
  SELECT m.id
  FROM n JOIN message m ON m.organization_id = $1 AND m.id = n.id
    JOIN conversation c ON c.organization_id = $1 AND c.id = m.conversation_id
  WHERE NOT c.tombstone
    AND CASE m.message_type
          WHEN 'Unsupported' THEN m.data ->> 'type' = 'media_placeholder'
          WHEN 'System' THEN m.data ->> 'type' = 'call' AND m.data ->> 'event' = 'connect'
          ELSE false
        END
  ORDER BY m.id
  FOR NO KEY UPDATE OF m
)
UPDATE message m SET message_type = n.type, data = n.data::jsonb
FROM n JOIN open USING (id)
WHERE m.organization_id = $1 AND m.id = n.id
RETURNING m.id, m.conversation_id, m.contact_id, m.untold
