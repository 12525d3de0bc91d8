-- read(email text)
SELECT id, password_hash FROM person WHERE lower(email) = lower($1)
