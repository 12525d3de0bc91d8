-- write(id uuid, old_hash text, password_hash text)
-- Only if the password is still the one that was checked.
UPDATE person SET password_hash = $3 WHERE id = $1 AND password_hash = $2
