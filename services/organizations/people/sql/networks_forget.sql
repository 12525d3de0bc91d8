-- write(person_id uuid)
DELETE FROM known_network WHERE person_id = $1
