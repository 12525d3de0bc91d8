-- write(organization_id uuid, name text)
DELETE FROM quota WHERE organization_id = $1 AND name = $2
