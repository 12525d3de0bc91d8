-- write(organization_id uuid, merged_id uuid, most int8)
-- A contact has one Active conversation: of two that merged contacts have, closes the older one.
WITH active AS MATERIALIZED (
  SELECT c.id, c.contact_id, c.created_at
  FROM merged_contact m JOIN conversation c ON c.organization_id = $1 AND c.contact_id IN (m.contact_id, m.into_id)
  WHERE m.organization_id = $1 AND m.contact_id = $2 AND c.status = 'Active' AND $3 > 0
  ORDER BY c.contact_id
  FOR NO KEY UPDATE OF c
), closed AS (
  UPDATE conversation c SET status = 'Closed'
  FROM (SELECT id FROM active ORDER BY created_at DESC, id DESC OFFSET 1) older
  WHERE c.organization_id = $1 AND c.id = older.id
  RETURNING c.id, c.contact_id
)
SELECT id, contact_id, 'Active' AS status FROM closed
