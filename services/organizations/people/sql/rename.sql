-- write(id uuid, name text)
UPDATE person SET name = $2 WHERE id = $1
