-- write(person_id uuid, most int8)
UPDATE person SET most_organizations = $2 WHERE id = $1
