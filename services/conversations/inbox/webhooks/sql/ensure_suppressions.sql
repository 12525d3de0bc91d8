-- write(organization_id uuid, contact_ids uuid[])
INSERT INTO suppression (organization_id, contact_id)
SELECT $1, contact_id FROM unnest($2) AS contact_id ORDER BY contact_id
ON CONFLICT DO NOTHING
