-- read(organization_id uuid, id uuid)
SELECT id, name, description, permissions FROM role WHERE organization_id = $1 AND id = $2
