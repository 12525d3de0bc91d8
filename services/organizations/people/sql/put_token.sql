-- write(person_id uuid, secret_hash bytea, life_seconds int8)
INSERT INTO password_token (person_id, secret_hash, expires_at)
VALUES ($1, $2, date_trunc('milliseconds', now() + $3 * interval '1 second'))
ON CONFLICT (person_id) DO UPDATE SET secret_hash = excluded.secret_hash, expires_at = excluded.expires_at
RETURNING expires_at
