-- write(organization_id uuid, key_hash bytea, fingerprint bytea, status int4, head text, body bytea)
-- Only an answer older than a day can be there, not yet pruned.
INSERT INTO idempotency (organization_id, key_hash, fingerprint, status, head, body)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (organization_id, key_hash) DO UPDATE
SET fingerprint = excluded.fingerprint, status = excluded.status, head = excluded.head, body = excluded.body,
  created_at = excluded.created_at
