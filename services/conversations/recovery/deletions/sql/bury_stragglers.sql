-- write(organization_id uuid, contact_id uuid, most int8)
-- Conversations begun by a writer that did not know yet that the contact is deleted; as bury.
WITH old AS MATERIALIZED (
  SELECT id, contact_id, status
  FROM conversation
  WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest(names_of($1, $2)))) AND status <> 'Deleted'
  ORDER BY id LIMIT $3
  FOR NO KEY UPDATE
), buried AS (
  UPDATE conversation c SET status = 'Deleted', tombstone = true
  FROM old
  WHERE c.organization_id = $1 AND c.id = old.id
  RETURNING c.id, old.contact_id, old.status
)
SELECT id, contact_id, status FROM buried
