-- write(organization_id uuid, id uuid)
UPDATE invite SET accepted_at = now() WHERE organization_id = $1 AND id = $2
