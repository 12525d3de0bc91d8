-- write(organization_id uuid, id uuid, reason text)
UPDATE campaign SET held = true, status_reason = $3
WHERE organization_id = $1 AND id = $2 AND status = 'Paused'
