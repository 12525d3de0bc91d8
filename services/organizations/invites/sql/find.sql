-- read(organization_id uuid, id uuid)
SELECT /*include columns*/, i.version::text
FROM invite i
WHERE i.organization_id = $1 AND i.id = $2
