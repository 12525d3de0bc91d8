-- write(organization_id uuid, kind text, id uuid)
UPDATE removal SET finished_at = now() WHERE organization_id = $1 AND kind = $2 AND id = $3
