-- write(id uuid, email text, name text, password_hash text)
INSERT INTO person (id, email, name, password_hash)
VALUES ($1, $2, $3, $4)
ON CONFLICT (lower(email)) DO NOTHING
RETURNING id
