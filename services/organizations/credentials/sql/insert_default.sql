-- write(organization_id uuid, member_id uuid, id uuid, secret_hash bytea, expires_at timestamptz, made_by uuid)
INSERT INTO credential (organization_id, id, member_id, name, is_default, secret_hash, expires_at, made_by)
SELECT m.organization_id, $3, m.id, 'default', true, $4, $5, $6
FROM member m
WHERE m.organization_id = $1 AND m.id = $2
RETURNING created_at
