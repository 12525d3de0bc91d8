-- write(kinds text[])
-- The lock is the lease: it ends with the transaction, or with the process.
SELECT organization_id, kind, id, extract(epoch FROM now() - started_at)::int8 AS age
FROM removal
WHERE finished_at IS NULL AND due_at <= now() AND kind = ANY ($1)
ORDER BY due_at LIMIT 1
FOR UPDATE SKIP LOCKED
