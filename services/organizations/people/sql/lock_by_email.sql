-- write(email text)
SELECT id FROM person WHERE lower(email) = lower($1) FOR NO KEY UPDATE
