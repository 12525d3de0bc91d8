-- read(organization_id uuid, key_hash bytea)
-- After a claim a statement of its own: its snapshot must not be older than the lock.
SELECT fingerprint, status, head, body
FROM idempotency
WHERE organization_id = $1 AND key_hash = $2 AND created_at > now() - interval '24 hours'
