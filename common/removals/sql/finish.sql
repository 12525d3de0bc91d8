-- write(organization_id uuid, kind text, id uuid)
DELETE FROM removal WHERE organization_id = $1 AND kind = $2 AND id = $3
