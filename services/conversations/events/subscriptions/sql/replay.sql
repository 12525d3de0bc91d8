-- write(organization_id uuid, webhook_id uuid, id uuid)
UPDATE webhook_delivery SET state = 'Pending', due_at = clock_timestamp(), tries = 0
WHERE organization_id = $1 AND webhook_id = $2 AND id = $3
