-- write(organization_id uuid, name text, most int8)
INSERT INTO quota (organization_id, name, most) VALUES ($1, $2, $3)
ON CONFLICT (organization_id, name) DO UPDATE SET most = excluded.most
