-- write(organization_id uuid, id uuid)
-- From here on nobody adds it to a list.
SELECT version::text FROM contact WHERE organization_id = $1 AND id = $2 FOR UPDATE
