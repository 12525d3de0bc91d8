-- write(organization_id uuid, id uuid, name text, description text)
INSERT INTO list (organization_id, id, name, description) VALUES ($1, $2, $3, $4)
