-- read(id uuid)
SELECT id, password_hash FROM person WHERE id = $1
