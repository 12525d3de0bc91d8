-- read(person_id uuid)
SELECT most_organizations FROM person WHERE id = $1
