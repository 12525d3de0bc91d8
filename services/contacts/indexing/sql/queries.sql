-- name: look write(most int8)
-- Of all organizations: indexes that are not complete, the New ones first. Transactions that wrote and did not see these rows are
-- numbered below `begun`; all below `ended` have ended.
SELECT i.organization_id, i.id, i.stage = 'New' AS is_new,
  pg_snapshot_xmax(s)::text::int8 AS begun, pg_snapshot_xmin(s)::text::int8 AS ended
FROM indexed_attribute i CROSS JOIN pg_current_snapshot() s
WHERE i.stage <> 'Complete'
ORDER BY i.stage DESC LIMIT $1

-- name: open write(organization_id uuid, id uuid)
UPDATE indexed_attribute SET stage = 'Filling' WHERE organization_id = $1 AND id = $2 AND stage = 'New'

-- name: claim write()
-- Of the organization that was served longest ago. The row lock is the lease: it ends with the transaction or the process.
SELECT i.organization_id, i.id, i.name, i.kind, i.position
FROM indexed_attribute i
WHERE i.stage = 'Filling'
ORDER BY (SELECT max(s.served_at) FROM indexed_attribute s WHERE s.organization_id = i.organization_id),
  i.served_at DESC, i.id
LIMIT 1
FOR NO KEY UPDATE SKIP LOCKED

-- name: advance write(organization_id uuid, id uuid, position uuid, is_over bool)
UPDATE indexed_attribute
SET position = coalesce($3, position), stage = CASE WHEN $4 THEN 'Complete' ELSE stage END, served_at = clock_timestamp()
WHERE organization_id = $1 AND id = $2

-- name: sweep write()
-- Chooses anew for an organization that has indexes which have been unused for long.
SELECT choose_indexed_attributes(u.organization_id)
FROM (SELECT organization_id FROM indexed_attribute WHERE unused_since < now() - interval '10 minutes' LIMIT 1) u
