-- name: find read(organization_id uuid, key_hash bytea)
-- Separate from the claim, as its snapshot must not be older than the lock.
SELECT fingerprint, status, head, body
FROM idempotency
WHERE organization_id = $1 AND key_hash = $2 AND created_at > now() - interval '24 hours'

-- name: claim write(organization_id uuid, key_hash bytea)
-- Held until the transaction ends. Returns false at once if another transaction holds the key.
SELECT pg_try_advisory_xact_lock(
  hashtextextended('idempotency ' || current_schema() || ' ' || $1::text || ' ' || encode($2, 'hex'), 0))

-- name: record write(organization_id uuid, key_hash bytea, fingerprint bytea, status int4, head text, body bytea)
-- A conflicting row can only be older than a day and not yet pruned.
INSERT INTO idempotency (organization_id, key_hash, fingerprint, status, head, body)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (organization_id, key_hash) DO UPDATE
SET fingerprint = excluded.fingerprint, status = excluded.status, head = excluded.head, body = excluded.body,
  created_at = excluded.created_at

-- name: prune write(most int4)
-- Skips rows that another replica prunes or a request replaces.
WITH old AS MATERIALIZED (
  SELECT organization_id, key_hash FROM idempotency
  WHERE created_at <= now() - interval '24 hours'
  ORDER BY created_at LIMIT $1
  FOR UPDATE SKIP LOCKED
)
DELETE FROM idempotency i
USING old
WHERE i.organization_id = old.organization_id AND i.key_hash = old.key_hash
