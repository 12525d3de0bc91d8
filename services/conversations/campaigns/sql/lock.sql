-- write(organization_id uuid, id uuid)
SELECT /*include campaign*/ AND c.id = $2 FOR NO KEY UPDATE OF c
