-- write(organization_id uuid, merged_id uuid, most int8)
WITH held AS MATERIALIZED (
  SELECT c.id, m.into_id
  FROM merged_contact m JOIN conversation c ON c.organization_id = $1 AND c.contact_id = m.contact_id
  WHERE m.organization_id = $1 AND m.contact_id = $2
  ORDER BY c.id LIMIT $3
  FOR NO KEY UPDATE OF c
), moved AS (
  UPDATE conversation c SET contact_id = held.into_id
  FROM held
  WHERE c.organization_id = $1 AND c.id = held.id
  RETURNING c.id, c.contact_id
)
SELECT id, contact_id FROM moved
