-- read(organization_id uuid, id uuid)
SELECT /*include columns*/
FROM list l
WHERE l.organization_id = $1 AND l.id = $2
