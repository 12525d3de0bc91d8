-- write(organization_id uuid, id uuid)
UPDATE campaign SET deleted_at = now() WHERE organization_id = $1 AND id = $2
