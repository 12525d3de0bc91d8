-- write(organization_id uuid, id uuid)
DELETE FROM webhook WHERE organization_id = $1 AND id = $2
