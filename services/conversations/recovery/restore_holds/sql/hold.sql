-- write(organization_id uuid, id uuid, reason text, found_as text)
UPDATE campaign SET held = true, status_reason = $3, held_status = $4
WHERE organization_id = $1 AND id = $2 AND status = 'Paused'
