-- write(organization_id uuid, list_id uuid)
DELETE FROM tally WHERE organization_id = $1 AND list_id = $2
