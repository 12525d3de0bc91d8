-- write(person_id uuid, email text)
SELECT EXISTS (SELECT FROM person WHERE id = $1 AND lower(email) = lower($2))
