-- write(organization_id uuid, campaign_id uuid, most int8)
-- Those that are still at work end by themselves.
DELETE FROM retarget
WHERE organization_id = $1 AND ctid = ANY (ARRAY(
  SELECT ctid FROM retarget
  WHERE organization_id = $1 AND campaign_id = $2 AND finished_at IS NOT NULL LIMIT $3))
