-- read(organization_id uuid, ids uuid[])
SELECT id, name, description, permissions FROM role WHERE organization_id = $1 AND id = ANY($2)
