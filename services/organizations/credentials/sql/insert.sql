-- write(organization_id uuid, id uuid, member_id uuid, name text, secret_hash bytea, expires_at timestamptz)
INSERT INTO credential (organization_id, id, member_id, name, secret_hash, expires_at)
VALUES ($1, $2, $3, $4, $5, $6)
RETURNING created_at
