-- write(id uuid, person_id uuid)
DELETE FROM session WHERE id = $1 AND person_id = $2
