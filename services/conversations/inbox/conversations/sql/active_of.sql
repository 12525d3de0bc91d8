-- read(organization_id uuid, contact_id uuid)
SELECT id FROM conversation WHERE organization_id = $1 AND contact_id = $2 AND status = 'Active'
