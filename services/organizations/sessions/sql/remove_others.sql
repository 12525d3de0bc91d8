-- write(person_id uuid, kept uuid)
DELETE FROM session WHERE person_id = $1 AND id IS DISTINCT FROM $2
