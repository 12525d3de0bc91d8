-- write(organization_id uuid, ids uuid[])
SELECT id, name, permissions FROM role WHERE organization_id = $1 AND id = ANY($2) ORDER BY id
