-- write(organization_id uuid, id uuid, email text, access_level text, secret_hash bytea, invited_by uuid,
--   life_seconds int8)
-- Nothing, when the address has an open one.
INSERT INTO invite (organization_id, id, email, access_level, secret_hash, invited_by, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
ON CONFLICT (organization_id, lower(email)) WHERE accepted_at IS NULL DO NOTHING
