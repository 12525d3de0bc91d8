-- write(id uuid, person_id uuid, secret_hash bytea, password_hash text, life_seconds int8)
-- Only while the password is the one that was checked: whoever changes it ends all sessions, and misses none.
INSERT INTO session (id, person_id, secret_hash, expires_at)
SELECT $1, p.id, $3, date_trunc('milliseconds', now() + $5 * interval '1 second')
FROM person p
WHERE p.id = $2 AND p.password_hash = $4
FOR SHARE OF p
RETURNING expires_at
