-- read(person_id uuid)
SELECT secret_hash FROM password_token WHERE person_id = $1 AND expires_at > now()
