-- write(id uuid, name text, description text, website_url text)
INSERT INTO organization (organization_id, name, description, website_url)
VALUES ($1, $2, $3, $4)
RETURNING created_at
