-- read(organization_id uuid, id uuid)
SELECT /*include conversation*/, c.version::text
FROM conversation c
WHERE c.organization_id = $1 AND c.id = $2
