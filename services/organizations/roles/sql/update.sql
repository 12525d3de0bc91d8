-- write(organization_id uuid, id uuid, name text, description text, permissions int8)
UPDATE role SET name = $3, description = $4, permissions = $5 WHERE organization_id = $1 AND id = $2
