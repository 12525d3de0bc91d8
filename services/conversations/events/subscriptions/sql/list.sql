-- read(organization_id uuid)
SELECT /*include webhook*/ FROM webhook WHERE organization_id = $1 ORDER BY id
