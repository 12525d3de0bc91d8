-- write(organization_id uuid, id uuid, status text)
UPDATE conversation SET status = $3 WHERE organization_id = $1 AND id = $2
