-- write(organization_id uuid, id uuid)
-- Several gateways ask at once: one of them writes.
UPDATE credential SET last_used_at = now()
WHERE organization_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
