-- write(id uuid, email text, name text)
-- The update that changes nothing makes the row come back that was there, and locks it.
INSERT INTO person (id, email, name)
VALUES ($1, $2, $3)
ON CONFLICT (lower(email)) DO UPDATE SET email = person.email
RETURNING id
