-- write(organization_id uuid, id uuid)
SELECT id FROM list WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE
