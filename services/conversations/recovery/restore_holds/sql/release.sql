-- write(organization_id uuid, id uuid, doubtful int4, reason text)
UPDATE campaign SET held = false, held_status = NULL, doubtful = greatest(doubtful, $3), status_reason = $4
WHERE organization_id = $1 AND id = $2 AND held AND status = 'Paused'
RETURNING coalesce(scheduled_at > now(), false) AS ahead
