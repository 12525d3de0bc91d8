-- write(id uuid)
-- Several gateways ask at once: one of them writes.
UPDATE session SET last_used_at = now() WHERE id = $1 AND last_used_at < now() - interval '1 minute'
