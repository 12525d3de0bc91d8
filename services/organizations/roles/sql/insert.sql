-- write(organization_id uuid, id uuid, name text, description text, permissions int8)
INSERT INTO role (organization_id, id, name, description, permissions)
VALUES ($1, $2, $3, $4, $5)
