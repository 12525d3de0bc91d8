-- write(organization_id uuid, contact_ids uuid[])
-- The conversations that are tombstones from now on. In order of their keys, as all who lock several.
WITH old AS (
  SELECT id, contact_id, status
  FROM conversation
  WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest($2))) AND status <> 'Deleted'
  ORDER BY id
  FOR NO KEY UPDATE
)
UPDATE conversation c SET status = 'Deleted', tombstone = true
FROM old
WHERE c.organization_id = $1 AND c.id = old.id
RETURNING c.id, c.contact_id, old.status
