-- write(organization_id uuid, name text)
INSERT INTO organization (organization_id, name)
VALUES ($1, $2)
