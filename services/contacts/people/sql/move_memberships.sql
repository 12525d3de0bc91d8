-- write(organization_id uuid, from_id uuid, into_id uuid, list_ids uuid[])
INSERT INTO membership (organization_id, list_id, contact_id)
SELECT $1, m.list_id, $3
FROM membership m
WHERE m.organization_id = $1 AND m.contact_id = $2 AND m.list_id = ANY ($4)
ORDER BY m.list_id
ON CONFLICT DO NOTHING
RETURNING list_id
