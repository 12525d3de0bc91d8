-- name: find read(organization_id uuid, campaign_id uuid, id uuid)
SELECT /*include retarget*/
FROM retarget r JOIN campaign c ON c.organization_id = $1 AND c.id = r.campaign_id AND c.deleted_at IS NULL
WHERE r.organization_id = $1 AND r.campaign_id = $2 AND r.id = $3

-- name: campaign read(organization_id uuid, id uuid)
SELECT status, audience_count AS last FROM campaign WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL

-- name: has_url read(organization_id uuid, campaign_id uuid, url text)
SELECT id FROM campaign_url WHERE organization_id = $1 AND campaign_id = $2 AND md5(url) = md5($3) AND url = $3 AND NOT withdrawn

-- name: insert write(organization_id uuid, id uuid, campaign_id uuid, list_id uuid, criteria jsonb, lease int8)
-- The requester makes the list first: the lease keeps the worker away for `lease` milliseconds.
INSERT INTO retarget (organization_id, id, campaign_id, list_id, criteria, lease_until)
VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond')

-- name: advance write(organization_id uuid, id uuid, before int4, ordinal int4, contacts int8, lease int8, over bool)
-- Changes no row when another worker has advanced from there.
UPDATE retarget
SET ordinal = $4, contacts = contacts + $5, lease_until = now() + $6 * interval '1 millisecond',
  finished_at = CASE WHEN $7 THEN now() END
WHERE organization_id = $1 AND id = $2 AND ordinal = $3 AND finished_at IS NULL

-- name: claim write(lease int8)
-- Leases the oldest unleased retarget, of the organization that waits longest for a turn, for `lease` milliseconds.
UPDATE retarget SET lease_until = now() + $1 * interval '1 millisecond'
WHERE (organization_id, id) = (
  SELECT r.organization_id, r.id
  FROM retarget r JOIN (
    SELECT organization_id, max(lease_until) AS turn FROM retarget
    WHERE finished_at IS NULL
    GROUP BY organization_id) o USING (organization_id)
  WHERE r.finished_at IS NULL AND (r.lease_until IS NULL OR r.lease_until <= now())
  ORDER BY o.turn NULLS FIRST, r.created_at LIMIT 1
  FOR UPDATE OF r SKIP LOCKED)
RETURNING organization_id, id, campaign_id, list_id, criteria, ordinal

-- name: fail write(organization_id uuid, id uuid, before int4, failure text)
UPDATE retarget SET finished_at = now(), failure = $4
WHERE organization_id = $1 AND id = $2 AND ordinal = $3 AND finished_at IS NULL

-- name: release write(organization_id uuid, id uuid, before int4, lease int8)
-- Makes the retarget available to any worker after `lease` milliseconds.
UPDATE retarget SET lease_until = now() + $4 * interval '1 millisecond'
WHERE organization_id = $1 AND id = $2 AND ordinal = $3 AND finished_at IS NULL
