-- write(organization_id uuid, id uuid, label text)
-- No row when there is one with this label.
INSERT INTO tag (organization_id, id, label) VALUES ($1, $2, $3)
ON CONFLICT (organization_id, lower(label)) DO NOTHING
RETURNING label, id AS "uniqueId"
