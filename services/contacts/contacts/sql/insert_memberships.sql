-- write(organization_id uuid, list_ids uuid[], contact_ids uuid[])
INSERT INTO membership (organization_id, list_id, contact_id)
SELECT $1, new.list_id, new.contact_id
FROM unnest($2, $3) AS new(list_id, contact_id)
ORDER BY new.list_id, new.contact_id
ON CONFLICT DO NOTHING
RETURNING list_id
