-- write(id text, most int8)
UPDATE webhook_delivery d SET state = 'Pending', due_at = (SELECT clock_timestamp()), tries = 0
FROM (SELECT organization_id, webhook_id, id FROM webhook_delivery
      WHERE state = 'Failed' AND id::text = coalesce($1, id::text)
      ORDER BY organization_id, webhook_id, id LIMIT $2
      FOR UPDATE) w
WHERE d.organization_id = w.organization_id AND d.webhook_id = w.webhook_id AND d.id = w.id
