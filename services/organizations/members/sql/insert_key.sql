-- write(organization_id uuid, id uuid, member_id uuid, secret_hash bytea)
INSERT INTO credential (organization_id, id, member_id, name, is_default, secret_hash)
VALUES ($1, $2, $3, 'default', true, $4)
