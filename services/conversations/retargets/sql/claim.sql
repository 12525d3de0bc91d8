-- write(lease int8)
-- The oldest that nobody is at, whoever's it is, for so many milliseconds.
UPDATE retarget SET lease_until = now() + $1 * interval '1 millisecond'
WHERE (organization_id, id) = (
  SELECT organization_id, id FROM retarget
  WHERE finished_at IS NULL AND (lease_until IS NULL OR lease_until <= now())
  ORDER BY created_at LIMIT 1
  FOR UPDATE SKIP LOCKED)
RETURNING organization_id, id, campaign_id, list_id, criteria, ordinal
