-- write(organization_id uuid, id uuid)
SELECT /*include webhook*/, version::text FROM webhook WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE
