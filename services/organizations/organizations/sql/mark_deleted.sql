-- write(organization_id uuid)
UPDATE organization SET deleted_at = now() WHERE organization_id = $1
