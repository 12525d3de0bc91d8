-- name: look read(kinds text[])
SELECT count(*) AS pending, count(*) FILTER (WHERE due_at <= now()) AS due
FROM removal WHERE finished_at IS NULL AND kind = ANY ($1)

-- name: take write(kinds text[])
-- The row lock is the lease: it ends with the transaction or the process.
SELECT organization_id, kind, id, extract(epoch FROM now() - started_at)::int8 AS age
FROM removal
WHERE finished_at IS NULL AND due_at <= now() AND kind = ANY ($1)
ORDER BY due_at LIMIT 1
FOR UPDATE SKIP LOCKED

-- name: begin write(organization_id uuid, kind text, ids uuid[])
-- An object deleted again, after a restore from a backup, is removed again.
INSERT INTO removal (organization_id, kind, id)
SELECT DISTINCT $1, $2, id FROM unnest($3) AS deleted(id) ORDER BY id
ON CONFLICT (organization_id, kind, id) DO UPDATE SET started_at = now(), due_at = now(), finished_at = NULL

-- name: finish_kept write(organization_id uuid, kind text, id uuid)
UPDATE removal SET finished_at = now() WHERE organization_id = $1 AND kind = $2 AND id = $3

-- name: postpone write(organization_id uuid, kind text, id uuid, seconds int8)
UPDATE removal SET due_at = clock_timestamp() + make_interval(secs => $4)
WHERE organization_id = $1 AND kind = $2 AND id = $3

-- name: finish write(organization_id uuid, kind text, id uuid)
DELETE FROM removal WHERE organization_id = $1 AND kind = $2 AND id = $3
