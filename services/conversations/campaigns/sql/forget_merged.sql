-- write(after_organization uuid, after_contact uuid, most int8)
-- Deletes, among the next merges of contacts, those kept only for campaigns that are over.
WITH seen AS MATERIALIZED (
  SELECT organization_id, contact_id FROM merged_contact
  WHERE (organization_id, contact_id) > ($1, $2)
  ORDER BY organization_id, contact_id LIMIT $3
), gone AS (
  DELETE FROM merged_contact m USING seen s
  WHERE m.organization_id = s.organization_id AND m.contact_id = s.contact_id
    AND NOT EXISTS (SELECT FROM removal r
                    WHERE r.organization_id = m.organization_id AND r.kind = 'merged contact' AND r.id = m.contact_id)
    AND NOT is_open_recipient(m.organization_id, m.contact_id)
  RETURNING m.organization_id, m.contact_id
)
SELECT s.organization_id, s.contact_id, g.contact_id IS NOT NULL AS gone
FROM seen s LEFT JOIN gone g ON g.organization_id = s.organization_id AND g.contact_id = s.contact_id
ORDER BY s.organization_id, s.contact_id
