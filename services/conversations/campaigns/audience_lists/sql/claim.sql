-- write(lease int8)
-- The oldest that nobody is at of the organization that waits longest for a turn, for so many milliseconds.
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
