-- read(organization_id uuid, id uuid)
SELECT id, name, description, permissions, version::text FROM role WHERE organization_id = $1 AND id = $2
