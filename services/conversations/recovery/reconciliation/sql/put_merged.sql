-- write(organization_id uuid, contact_id uuid, into_id uuid)
-- Redirects earlier merges into this contact. The target may itself be merged; if into this contact, see there_again.
WITH known AS (
  SELECT (SELECT into_id FROM merged_contact WHERE organization_id = $1 AND contact_id = $3) AS id
), heir AS (
  SELECT CASE WHEN known.id IS NULL OR known.id = $2 THEN $3 ELSE known.id END AS id FROM known
), further AS (
  UPDATE merged_contact m SET into_id = heir.id
  FROM heir
  WHERE m.organization_id = $1 AND m.into_id = $2 AND m.contact_id <> $3
)
INSERT INTO merged_contact (organization_id, contact_id, into_id)
SELECT $1, $2, id FROM heir
ON CONFLICT (organization_id, contact_id) DO UPDATE SET into_id = excluded.into_id
