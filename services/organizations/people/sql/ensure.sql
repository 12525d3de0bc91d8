-- write(id uuid, email text, name text)
-- The update that changes nothing makes the row come back that was there, and locks it.
INSERT INTO person (id, email, name, address_proved_at)
VALUES ($1, $2, $3, now())
ON CONFLICT (lower(email)) DO UPDATE SET email = person.email
RETURNING id, address_proved_at IS NOT NULL AS is_proved, password_hash IS NOT NULL AS has_password
