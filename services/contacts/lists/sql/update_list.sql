-- write(organization_id uuid, id uuid, name text, description text)
UPDATE list SET name = coalesce($3, name), description = coalesce($4, description) WHERE organization_id = $1 AND id = $2
