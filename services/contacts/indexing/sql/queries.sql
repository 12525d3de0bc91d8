-- name: see write()
-- Of all organizations: notes of new indexes a transaction from after they could be seen. Of a number that is ahead another
-- server made it, before a restore.
UPDATE indexed_attribute SET seen = pg_current_xact_id()
WHERE stage = 'New' AND unused_since IS NULL AND (seen IS NULL OR seen > pg_current_xact_id())

-- name: open write()
-- Of all organizations: whoever wrote contacts without seeing the index had a number below `seen`, and has ended.
UPDATE indexed_attribute SET stage = 'Filling'
WHERE stage = 'New' AND unused_since IS NULL AND seen < pg_snapshot_xmin(pg_current_snapshot())

-- name: count_open write()
SELECT count(*) FROM indexed_attribute WHERE stage <> 'Complete' AND unused_since IS NULL

-- name: claim write()
-- Of the organization that was served longest ago. The row lock is the lease: it ends with the transaction or the process.
SELECT i.organization_id, i.id, i.name, i.kind, i.position
FROM indexed_attribute i
WHERE i.stage = 'Filling' AND i.unused_since IS NULL
ORDER BY (SELECT max(s.served_at) FROM indexed_attribute s WHERE s.organization_id = i.organization_id), i.served_at, i.id
LIMIT 1
FOR NO KEY UPDATE SKIP LOCKED

-- name: serve write(organization_id uuid, id uuid)
-- After an error: others have their turns first.
UPDATE indexed_attribute SET served_at = clock_timestamp() WHERE organization_id = $1 AND id = $2

-- name: advance write(organization_id uuid, id uuid, position uuid, is_over bool)
UPDATE indexed_attribute
SET position = coalesce($3, position), stage = CASE WHEN $4 THEN 'Complete' ELSE stage END, served_at = clock_timestamp()
WHERE organization_id = $1 AND id = $2

-- name: sweep write()
-- Chooses anew for an organization that has indexes which have been unused for long.
SELECT choose_indexed_attributes(u.organization_id)
FROM (SELECT organization_id FROM indexed_attribute WHERE unused_since < now() - interval '10 minutes' LIMIT 1) u
