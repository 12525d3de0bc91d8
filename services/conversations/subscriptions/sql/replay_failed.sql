-- write(id text)
UPDATE webhook_delivery SET state = 'Pending', due_at = now(), tries = 0
WHERE state = 'Failed' AND id::text = coalesce($1, id::text)
