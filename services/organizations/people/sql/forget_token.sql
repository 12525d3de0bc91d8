-- write(person_id uuid)
DELETE FROM password_token WHERE person_id = $1
