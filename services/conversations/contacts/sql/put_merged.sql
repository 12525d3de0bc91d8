-- write(organization_id uuid, contact_id uuid, into_id uuid)
-- Who was merged into this one is merged further.
WITH further AS (
  UPDATE merged_contact SET into_id = $3 WHERE organization_id = $1 AND into_id = $2
)
INSERT INTO merged_contact (organization_id, contact_id, into_id) VALUES ($1, $2, $3)
ON CONFLICT (organization_id, contact_id) DO UPDATE SET into_id = $3
