-- write(id uuid, person_id uuid)
SELECT EXISTS (SELECT FROM session WHERE id = $1 AND person_id = $2)
