-- write(organization_id uuid, ids uuid[])
SELECT id FROM tag WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR KEY SHARE
