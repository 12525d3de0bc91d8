-- write(organization_id uuid, ids uuid[], types text[], data text[], edited text[], directions text[])
-- The latest edit wins in any order; a revocation (no `edited`) is final. A Text always has a text. An edit that names no
-- file is of the caption: the file stays. Idempotent.
WITH n AS (SELECT * FROM unnest($2, $3, $4, $5, $6) AS n (id, type, data, edited, direction)),
old AS (
  SELECT m.id
  FROM n JOIN message m ON m.organization_id = $1 AND m.id = n.id
    JOIN conversation c ON c.organization_id = $1 AND c.id = m.conversation_id
  WHERE m.direction = n.direction AND NOT c.tombstone AND NOT m.data ? 'revoked'
    AND (n.edited IS NULL OR coalesce(m.data ->> 'editedAt', '') < n.edited)
  ORDER BY m.id
  FOR NO KEY UPDATE OF m
)
UPDATE message m
SET message_type = coalesce(n.type, m.message_type),
    data = CASE WHEN n.edited IS NULL AND m.message_type = 'Text' THEN '{"text": ""}'
                WHEN n.edited IS NOT NULL AND n.type = m.message_type AND NOT n.data::jsonb ? 'id' AND m.data ? 'id'
                  THEN m.data - 'caption'
                ELSE '{}' END::jsonb || n.data::jsonb
FROM n JOIN old USING (id)
WHERE m.organization_id = $1 AND m.id = n.id
RETURNING m.id, m.conversation_id, m.contact_id,
  m.untold OR EXISTS (SELECT FROM suppression s WHERE s.organization_id = $1 AND s.contact_id = m.contact_id AND s.blocked)
    AS untold
