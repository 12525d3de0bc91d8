-- write(organization_id uuid, id uuid)
-- Who adds this contact to a list meanwhile need not wait, nor be waited for.
SELECT version::text FROM contact WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE
