-- read(organization_id uuid, id uuid)
SELECT /*include answer*/, errors
FROM import
WHERE organization_id = $1 AND id = $2 AND (status <> 'Uploading' OR lease_until > now())
