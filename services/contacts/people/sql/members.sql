-- read(organization_id uuid, list_id uuid, after uuid, most int8)
-- A list that was deleted may still have rows here.
SELECT m.contact_id
FROM membership m
WHERE m.organization_id = $1 AND m.list_id = $2 AND m.contact_id > $3
  AND EXISTS (SELECT FROM list l WHERE l.organization_id = $1 AND l.id = $2)
ORDER BY m.contact_id
LIMIT $4
