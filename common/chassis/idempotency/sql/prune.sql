-- write(most int4)
-- Rows that another replica prunes, or that are being replaced, are passed over.
DELETE FROM idempotency i
USING (SELECT organization_id, key_hash FROM idempotency
       WHERE created_at <= now() - interval '24 hours'
       ORDER BY created_at LIMIT $1
       FOR UPDATE SKIP LOCKED) old
WHERE i.organization_id = old.organization_id AND i.key_hash = old.key_hash
