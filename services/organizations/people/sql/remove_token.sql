-- write(person_id uuid, secret_hash bytea)
DELETE FROM password_token WHERE person_id = $1 AND secret_hash = $2 AND expires_at > now()
