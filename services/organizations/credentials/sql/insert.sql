-- write(organization_id uuid, id uuid, member_id uuid, name text, secret_hash bytea, expires_at timestamptz, made_by uuid)
INSERT INTO credential (organization_id, id, member_id, name, secret_hash, expires_at, made_by)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING created_at
