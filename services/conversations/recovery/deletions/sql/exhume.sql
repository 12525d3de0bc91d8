-- write(organization_id uuid, contact_ids uuid[])
-- The conversations of contacts that are back. Whoever goes on begins another.
WITH old AS (
  SELECT id
  FROM conversation
  WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest($2))) AND tombstone
  ORDER BY id
  FOR NO KEY UPDATE
)
UPDATE conversation c SET status = 'Closed', tombstone = false
FROM old
WHERE c.organization_id = $1 AND c.id = old.id
RETURNING c.id, c.contact_id, 'Deleted' AS status
